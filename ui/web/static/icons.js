// Icons, drawn as strokes on a grid of 24.

const SPACE = "http://www.w3.org/2000/svg";
const PATHS = {
  api: "M8 7l-5 5l5 5M16 7l5 5l-5 5",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  chat: "M4 5h16v11H11l-4 4v-4H4z",
  check: "M5 13l5 5l9-11",
  chip: "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
  close: "M6 6l12 12M18 6L6 18",
  compare: "M9 5H4v14h5M15 5h5v14h-5M12 3v18",
  copy: "M9 9h11v11H9zM15 6V4H4v11h2",
  documents: "M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7",
  down: "M7 10l5 5l5-5",
  download: "M12 4v11M7 11l5 5l5-5M5 20h14",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  explore: "M4 6h6M14 6h6M4 12h2M10 12h10M4 18h10M18 18h2M12 4v4M8 10v4M16 16v4",
  filter: "M4 5h16l-6 8v6l-4 1v-7z",
  link: "M10 14l4-4M8 11l-2 2a3.500 3.500 0 0 0 5 5l2-2M16 13l2-2a3.500 3.500 0 0 0-5-5l-2 2",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M19 14a8 8 0 0 1-9-9a8 8 0 1 0 9 9z",
  next: "M10 6l6 6l-6 6",
  pin: "M9 4h6l-1 6l4 4H6l4-4zM12 14v6",
  plus: "M12 5v14M5 12h14",
  previous: "M14 6l-6 6l6 6",
  retry: "M19 11a7 7 0 1 0-1 6M20 4v7h-7",
  search: "M11 4a7 7 0 1 1 0 14a7 7 0 0 1 0-14M16 16l5 5",
  thumb: "M3 11h4v9H3zM7 11l4-8a2 2 0 0 1 3 2l-1 4h6a2 2 0 0 1 2 2l-2 7a2 2 0 0 1-2 2H7",
  upgrade: "M12 20V5M6 11l6-6l6 6",
};

/** Create the icon of a name; a view without one of its own gets that of documents. */
export function icon(name) {
  const drawn = document.createElementNS(SPACE, "svg");
  const path = document.createElementNS(SPACE, "path");
  const options = { viewBox: "0 0 24 24", class: `tn-icon tn-icon-${name}`, "aria-hidden": "true", fill: "none" };
  for (const [key, value] of Object.entries(options)) drawn.setAttribute(key, value);
  path.setAttribute("d", PATHS[name] ?? PATHS.documents);
  drawn.append(path);
  return drawn;
}
