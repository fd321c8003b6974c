// A chart that was drawn, or spoken to in another language, while its tab was hidden has no width. Vega measures again
// when the window changes its size; a style of static/explore.css tells when the chart comes into sight.

document.addEventListener("animationstart", (event) => {
  if (event.animationName === "tn-chart-shown") window.dispatchEvent(new Event("resize"));
});
