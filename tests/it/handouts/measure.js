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
  // What a text of a figure stands on: the shape below its middle, or the page.
  const ground = (element, box) => {
    const below = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const shapes = ["rect", "circle", "ellipse", "polygon", "path"];
    for (const shape of below) {
      const fill = getComputedStyle(shape).fill;
      if (shapes.includes(shape.tagName) && isVisible(fill)) return fill;
    }
    return background(element);
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
    const found = isFigure ? contrast(style.fill, ground(element, box)) : contrast(style.color, background(element));
    if (found < 4.5) hard.push(`${walker.currentNode.data.trim()}: ${found.toFixed(2)}`);
  }
  const box = (element) => element.getBoundingClientRect();
  const formulas = [...document.querySelectorAll("math")];
  const fractions = [...document.querySelectorAll("mfrac")];
  const isStacked = ({ children: [over, under] }) => box(over).bottom <= box(under).top + 1;
  const root = document.documentElement;
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const isScrolled = element.parentElement.closest(".table, .formula, pre, svg, math");
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
    figures: [...document.querySelectorAll("figure > svg")].map((it) => box(it).width),
    loaded: performance.getEntriesByType("resource").map((it) => it.name),
    background: getComputedStyle(document.body).backgroundColor,
    ink: [...document.querySelectorAll("figure text")].map((it) => getComputedStyle(it).fill),
  };
})()
