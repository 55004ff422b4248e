// Runs in a copy of a page, in a frame: reports to the frame's owner what a reader would stumble over.
// The address ends in #probe-WIDTH-PERCENT: the width of the frame, and the size of the text.
const asked = location.hash.split('-').slice(1).map(Number);
const root = document.documentElement;
const tell = e => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}.${e.getAttribute('class') || ''}: ` +
  (e.textContent || '').trim().slice(0, 60);
const style = e => getComputedStyle(e);
const known = new Map();
function pane(e) {  // how an element shows its content: kept, since a table has thousands of cells
  if (!known.has(e)) {
    const s = style(e);
    const open = (s.overflowX === 'visible' && s.overflowY === 'visible') || s.display === 'inline';
    known.set(e, {open, x: s.overflowX, y: s.overflowY, frame: open ? null : e.getBoundingClientRect()});
  }
  return known.get(e);
}
const moves = value => value === 'auto' || value === 'scroll';
const cuts = value => value === 'hidden' || value === 'clip';
const hiddenOnPurpose = e => e.closest('.skip, .visually-hidden, [hidden], .skip-to-content, .toc-drawer');

function scrollable(e) {
  const s = style(e);
  return (moves(s.overflowX) && e.scrollWidth > e.clientWidth + 1) ||
    (moves(s.overflowY) && e.scrollHeight > e.clientHeight + 1);
}

function keyboard() {  // scrollable regions that the keyboard cannot reach, or that have no name; lists of links have both
  return [...document.querySelectorAll('body *')].filter(e => scrollable(e) && !e.closest('aside')).filter(e => {
    e.focus({preventScroll: true});
    return document.activeElement !== e || !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby'));
  }).map(tell);
}

function details() {  // those that do not show more when their summary is pressed; all are open afterwards
  return [...document.querySelectorAll('details')].filter(e => {
    e.open = false;
    const before = e.getBoundingClientRect().height;
    e.querySelector('summary').click();
    const shown = e.open && e.getBoundingClientRect().height > before;
    e.open = true;
    return !shown;
  }).map(tell);
}

function links() {
  const ids = new Set([...document.querySelectorAll('[id]')].map(e => e.id));
  const all = [...document.querySelectorAll('a[href]')].map(e => e.getAttribute('href'));
  return {
    broken: all.filter(h => h.startsWith('#') &&
      h.length > 1 && !ids.has(h.slice(1)) && !ids.has(decodeURIComponent(h.slice(1)))),
    files: [...new Set(all.filter(h => !h.startsWith('#') && !/^[a-z]+:/.test(h)))],
    twice: document.querySelectorAll('[id]').length - ids.size,
  };
}

function texts() {  // every visible piece of a line of text: its box, the box that may be seen, and its element
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, e = node.parentElement;
    if (!node.data.trim() || !e.checkVisibility({checkVisibilityCSS: true}) || hiddenOnPurpose(e)) continue;
    if (e.closest('script, style, title, desc')) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) found.push({box, e});
  }
  return found;
}

function seen(piece) {  // [left, top, right, bottom] of what no ancestor hides; `cut` if it is lost and not scrolled away
  let [left, top, right, bottom] = [piece.box.left, piece.box.top, piece.box.right, piece.box.bottom];
  let cut = false;
  for (let e = piece.e; e && e !== document.body; e = e.parentElement) {
    const {open, x, y, frame} = pane(e);
    if (open) continue;
    if (cuts(x) && (left < frame.left - 1.5 || right > frame.right + 1.5)) cut = true;
    if (cuts(y) && (top < frame.top - 3 || bottom > frame.bottom + 3)) cut = true;
    left = Math.max(left, frame.left); right = Math.min(right, frame.right);
    top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
  }
  return {left, top, right, bottom, cut, e: piece.e};
}

function overlaps(pieces) {  // pairs of pieces of text that lie on each other
  const found = [];
  let open = [];
  for (const b of [...pieces].sort((x, y) => x.top - y.top)) {
    open = open.filter(a => a.bottom > b.top);
    for (const a of open) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - b.top;
      const least = Math.min(a.bottom - a.top, b.bottom - b.top);
      const formula = a.e.closest('math');  // indices stand close to each other: how close is for the browser to say
      if (formula && formula === b.e.closest('math')) continue;
      if (wide > 2 && high > 0.3 * least) found.push(`${tell(a.e)} | ${tell(b.e)}`);
    }
    open.push(b);
  }
  return found;
}

function targets() {  // WCAG 2.2, 2.5.8: at least 24 px, or 24 px apart; links inside a sentence are exempt
  const inText = e => e.tagName === 'A' && [...e.parentElement.childNodes].some(
    n => n.nodeType === Node.TEXT_NODE && n.data.trim());
  const boxes = [...document.querySelectorAll('a[href], summary, button, input, label')]
    .filter(e => e.checkVisibility() && !hiddenOnPurpose(e) && !inText(e))
    .map(e => ({e, b: e.getBoundingClientRect()})).filter(({b}) => b.width > 0 && b.height > 0);
  boxes.sort((x, y) => x.b.top - y.b.top);
  return boxes.filter(({b}, i) => {
    if (b.width >= 24 && b.height >= 24) return false;
    const x = b.left + b.width / 2, y = b.top + b.height / 2;
    const near = ({b: o}) => Math.hypot(
      Math.max(o.left - x, x - o.right, 0), Math.max(o.top - y, y - o.bottom, 0)) < 12;
    return boxes.slice(Math.max(0, i - 8), i + 9).some(other => other.b !== b && near(other));
  }).map(({e}) => tell(e));
}

function beyond() {  // what reaches out of the window and is not in a region that scrolls
  return [...document.querySelectorAll('body *')].filter(e => {
    if (e.getBoundingClientRect().right <= root.clientWidth + 1 || hiddenOnPurpose(e)) return false;
    for (let a = e.parentElement; a && a !== document.body; a = a.parentElement)
      if (!pane(a).open) return false;
    return e.checkVisibility();
  }).map(tell);
}

function geometry() {  // a digest of the boxes of all elements
  let digest = 0;
  for (const e of document.querySelectorAll('body *')) {
    const b = e.getBoundingClientRect();
    for (const value of [b.left, b.top, b.width, b.height])
      digest = (Math.imul(digest, 31) + Math.round(value)) | 0;
  }
  return digest;
}

function report() {
  root.style.fontSize = `${asked[1]}%`;
  const closed = details();
  const pieces = texts().map(seen);
  const visible = pieces.filter(p => p.right - p.left > 1 && p.bottom - p.top > 1);
  const words = document.body.innerText.replace(/\s+/g, '');
  return {
    asked, width: root.clientWidth, content: root.scrollWidth, beyond: beyond(),
    scrolled: [...document.querySelectorAll('body *')].filter(scrollable).length,
    ink: style(document.body).color, ground: style(document.body).backgroundColor,
    cut: pieces.filter(p => p.cut).map(p => tell(p.e)), overlaps: overlaps(visible), small: targets(),
    details: document.querySelectorAll('details').length, closed, keyboard: keyboard(), links: links(),
    pieces: pieces.length, geometry: geometry(), letters: words.length,
    words: [...words].reduce((digest, letter) => (Math.imul(digest, 31) + letter.codePointAt(0)) | 0, 0),
  };
}

addEventListener('load', () => parent.postMessage(report(), '*'));
