// Measures a report as it is shown, and leaves what it found at the end of the page.
(() => {
  const faults = [];
  const near = 1; // pixels that rounding may cost
  const overlap = (a, b) => a.left < b.right - near && b.left < a.right - near && a.top < b.bottom - near && b.top < a.bottom - near;
  const name = element => `${element.tagName.toLowerCase()} "${(element.textContent || '').trim().slice(0, 40)}"`;
  const page = document.documentElement;

  // the page as a whole, and each block in it
  if (page.scrollWidth > page.clientWidth) faults.push(`the page is ${page.scrollWidth} wide in ${page.clientWidth}`);
  const blocks = [...document.querySelectorAll('h1, main > p, .verdict, section, figure, details')];
  for (const block of blocks) {
    const box = block.getBoundingClientRect();
    if (box.left < -near || box.right > page.clientWidth + near) faults.push(`${name(block)} leaves the page`);
  }
  blocks.forEach((a, i) => blocks.slice(i + 1).forEach(b => {
    if (overlap(a.getBoundingClientRect(), b.getBoundingClientRect())) faults.push(`${name(a)} overlaps ${name(b)}`);
  }));

  // texts of a chart: apart from each other and within it
  let texts = 0;
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll('text')].map(text => [text, text.getBoundingClientRect()]);
    texts += labels.length;
    labels.forEach(([text, box], i) => {
      if (box.left < frame.left - near || box.right > frame.right + near || box.top < frame.top - near || box.bottom > frame.bottom + near) faults.push(`${name(text)} leaves its chart`);
      labels.slice(i + 1).forEach(([other, otherBox]) => { if (overlap(box, otherBox)) faults.push(`${name(text)} overlaps ${name(other)}`); });
    });
  }

  // cells
  for (const cell of document.querySelectorAll('td, th')) if (cell.scrollWidth > cell.clientWidth + near) faults.push(`${name(cell)} overflows`);

  // contrast of every colour of text with the page
  const luminance = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = luminance(getComputedStyle(document.body).backgroundColor);
  let lowest = 21;
  for (const element of document.querySelectorAll('h1, h2, p, td, th, b, summary, svg text')) {
    const style = getComputedStyle(element);
    const text = luminance(element.closest('svg') ? style.fill : style.color);
    const contrast = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
    lowest = Math.min(lowest, contrast);
    if (contrast < 4.5) faults.push(`${name(element)} has a contrast of ${contrast.toFixed(1)}`);
  }

  // figures
  const cells = [...document.querySelectorAll('[data-figure]')];
  const source = document.getElementById('run');
  const run = source && JSON.parse(source.textContent);
  for (const cell of run ? cells : []) {
    const value = cell.dataset.figure.split('.').reduce((found, part) => found?.[part], run) ?? null;
    const shown = cell.textContent.trim();
    const digits = (shown.split('.')[1] || '').length;
    if (value === null ? shown !== '-' : Number(cell.dataset.value) !== value || Math.abs(Number(shown.replaceAll(',', '')) - value) > 0.5001 * 10 ** -digits) faults.push(`${cell.dataset.figure}: ${shown} shown, ${value} in run.json`);
  }
  if (run && document.getElementById('verdict').textContent !== run.verdict) faults.push('another verdict');

  const result = document.createElement('pre');
  result.id = 'measured';
  result.textContent = `${faults.length} faults${faults.length ? ': ' + faults.slice(0, 8).join('; ') : ''} (${innerWidth} px, ${matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'}, ${blocks.length} blocks, ${texts} texts in charts, ${cells.length} figures, least contrast ${lowest.toFixed(1)})`;
  document.body.append(result);
})();
