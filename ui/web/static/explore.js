// A chart rendered while its tab is hidden has no width. Vega measures again when the window is resized; an
// animation in explore.css signals that the chart has become visible.

document.addEventListener("animationstart", (event) => {
  if (event.animationName === "tn-chart-shown") window.dispatchEvent(new Event("resize"));
});
