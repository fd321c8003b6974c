// Reading of files that the visitor chooses, as text, in the browser.

const WANTED = /(?:\.(?:py|ipynb|toml|cfg|lock|txt|ya?ml|sh|cmake|cpp|cc|cxx|c|h|hpp|cu|cuh)|Dockerfile[^/]*)$/i;
const LEFT_OUT = /(?:^|\/)(?:\.[^/]+|node_modules|build|dist|__pycache__|venv|site-packages)\//;
const MOST = 1_000; // files
const MOST_BYTES = 1_000_000; // together

/** Let the visitor choose files or a folder; returns them as JSON {files: {path: text}, left}. */
export function choose(folder) {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.webkitdirectory = folder;
  return new Promise((resolve) => {
    input.addEventListener("change", async () => resolve(JSON.stringify(await read([...input.files]))));
    input.addEventListener("cancel", () => resolve(""));
    input.click();
  });
}

async function read(chosen) {
  const files = {};
  let [bytes, left] = [0, 0];
  for (const file of chosen) {
    const path = file.webkitRelativePath || file.name;
    if (!WANTED.test(path) || LEFT_OUT.test(path)) continue;
    if (bytes + file.size > MOST_BYTES || Object.keys(files).length >= MOST) {
      left += 1;
      continue;
    }
    bytes += file.size;
    files[path] = await file.text();
  }
  return { files, left };
}
