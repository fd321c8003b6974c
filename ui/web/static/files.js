// Reading of files that the visitor chooses or drops, in the browser: as text, archives as they are.

import { present } from "./dom.js";

const WANTED = /(?:\.(?:py|ipynb|toml|cfg|lock|txt|ya?ml|sh|cmake|cpp|cc|cxx|c|h|hpp|cu|cuh|zip)|Dockerfile[^/]*)$/i;
const LEFT_OUT = /(?:^|\/)(?:\.[^/]+|node_modules|build|dist|__pycache__|venv|site-packages)\//;
const MOST = 1_000; // files
const MOST_BYTES = 1_000_000; // together
let landed = []; // files that were dropped last

/** Let the visitor choose files or a folder; returns them as JSON {files: {path: text}, archives: {path: base64}, left}. */
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

/** Take files that are dropped on the view of the code; a hidden button hands them on. */
export async function acceptDrops() {
  await present("#tn-code", "#tn-code-landed");
  const view = document.querySelector("#tn-code")?.closest('[role="tabpanel"]');
  if (!view || view.dataset.drops) return;
  view.dataset.drops = "yes";
  const box = document.querySelector("#tn-code");
  view.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.classList.add("tn-dropping");
  });
  view.addEventListener("dragleave", (event) => {
    if (!view.contains(event.relatedTarget)) box.classList.remove("tn-dropping");
  });
  view.addEventListener("drop", (event) => {
    box.classList.remove("tn-dropping");
    if (!event.dataTransfer?.files.length) return; // text is the box's own matter
    event.preventDefault();
    landed = [...event.dataTransfer.files];
    document.querySelector("#tn-code-landed").click();
  });
}

/** What was dropped last, as `choose` returns it. */
export async function dropped() {
  return JSON.stringify(await read(landed));
}

async function read(chosen) {
  const [files, archives] = [{}, {}];
  let [bytes, left] = [0, 0];
  for (const file of chosen) {
    const path = file.webkitRelativePath || file.name;
    if (!WANTED.test(path) || LEFT_OUT.test(path)) continue;
    if (bytes + file.size > MOST_BYTES || Object.keys(files).length >= MOST) {
      left += 1;
      continue;
    }
    bytes += file.size;
    if (/\.zip$/i.test(path)) archives[path] = await packed(file);
    else files[path] = await file.text();
  }
  return { files, archives, left };
}

/** The bytes of a file in base64. */
function packed(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
