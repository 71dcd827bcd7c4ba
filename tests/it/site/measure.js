// Measures a page: what is too wide, what is hard to read, and formulas that are not laid out.
(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const isVisible = (color) => color !== "none" && (channels(color)[3] ?? 1) > 0;
  const luminance = (color) => {
    const [r, g, b] = channels(color).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (isVisible(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  // One colour over another, as its opacity lets it show.
  const over = (color, opacity, below) => {
    const [one, other] = [channels(color), channels(below)];
    const share = (one[3] ?? 1) * opacity;
    return `rgb(${[0, 1, 2].map((at) => one[at] * share + other[at] * (1 - share)).join(", ")})`;
  };
  // The colour below the middle of a text in a figure: shapes over one another, over the page.
  const ground = (element, box) => {
    const shapes = ["rect", "circle", "ellipse", "polygon", "path"];
    const below = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const layers = below.filter((it) => shapes.includes(it.tagName) && getComputedStyle(it).fill !== "none");
    return layers.reverse().reduce((color, shape) => {
      const style = getComputedStyle(shape);
      return over(style.fill, style.fillOpacity * style.opacity, color);
    }, background(element));
  };
  const hard = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (!walker.currentNode.data.trim() || element.closest("style, title, desc")) continue;
    texts += 1;
    const isFigure = element.closest("svg");
    const style = getComputedStyle(element);
    const below = isFigure ? ground(element, box) : background(element);
    const ink = isFigure ? over(style.fill, style.fillOpacity, below) : style.color;
    const found = contrast(ink, below);
    if (found < 4.5) hard.push(`${walker.currentNode.data.trim()}: ${found.toFixed(2)}`);
  }
  const box = (element) => element.getBoundingClientRect();
  const formulas = [...document.querySelectorAll("math")];
  const fractions = [...document.querySelectorAll("mfrac")];
  const isStacked = ({ children: [over, under] }) => box(over).bottom <= box(under).top + 1;
  const root = document.documentElement;
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const isScrolled = element.parentElement.closest(".table, .formula, .drawing, pre, math");
    return !isScrolled && box(element).right > root.clientWidth + 0.5;
  });
  return {
    width: root.scrollWidth,
    room: root.clientWidth,
    wide: wide.map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`),
    hard,
    texts,
    formulas: formulas.length,
    flat: formulas.filter((it) => !(box(it).height > 0 && box(it).width > 0)).map((it) => it.textContent),
    fractions: fractions.length,
    unstacked: fractions.filter((it) => !isStacked(it)).map((it) => it.textContent),
    // Left columns of equations end where the right ones begin.
    ragged: [...document.querySelectorAll("mtable.aligned")].filter((it) => {
      const ends = [...it.querySelectorAll("mtd:first-child > *")].map((cell) => box(cell).right);
      return Math.max(...ends) - Math.min(...ends) > 1;
    }).map((it) => it.textContent),
    figures: [...document.querySelectorAll(".drawing > svg")].map((it) => box(it).width),
    loaded: performance.getEntriesByType("resource").map((it) => it.name),
    background: getComputedStyle(document.body).backgroundColor,
    ink: [...document.querySelectorAll("figure text")].map((it) => getComputedStyle(it).fill),
  };
})()
