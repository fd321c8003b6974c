// Answers outside the page: as Markdown, and as links that hold the question, its releases, and the index that answered.

const LONGEST = 4000; // characters of a question
const RELEASE = /^\d{1,3}(\.\d{1,3}){1,2}$/;

/** The address that asks a question again. */
export function linkTo({ question, releases = [], record = {} }) {
  const values = new URLSearchParams({ ask: question });
  if (releases.length) values.set("in", releases.join(","));
  if (record.versions?.index) values.set("index", record.versions.index);
  // Spaces as %20: some programs that show links end them at a plus.
  return `${location.origin}${location.pathname}#${values.toString().replaceAll("+", "%20")}`;
}

/** The question and releases in the fragment of an address; null if it holds no question. */
export function readLink(fragment) {
  if (!fragment.startsWith("#ask=")) return null;
  const values = new URLSearchParams(fragment.slice(1).replaceAll("+", "%2B"));
  const question = (values.get("ask") ?? "").replaceAll("\uFFFD", "").trim().slice(0, LONGEST);
  const releases = (values.get("in") ?? "").split(",").filter((each) => RELEASE.test(each));
  return question ? { question, releases: releases.slice(0, 50) } : null;
}

/** Format an answer with its sources and verdicts as Markdown. */
export function markdownOf(turn) {
  return [turn.markdown, ...Object.values(turn.verdicts ?? {}).map((verdict) => verdict.markdown)].join("\n\n");
}

/** An answer as a file of Markdown: question, text with its sources, and a link that asks it again. */
export function sharedMarkdown(turn) {
  const title = turn.question.split("\n")[0].slice(0, 200);
  return `# ${title}\n\n${markdownOf(turn)}\n\n<${linkTo(turn)}>\n`;
}
