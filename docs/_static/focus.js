// Whatever scrolls sideways can be reached and scrolled with the keyboard.
addEventListener('load', () => {
  for (const region of document.querySelectorAll('article pre, .table-wrapper')) {
    if (region.scrollWidth <= region.clientWidth) continue;
    region.tabIndex = 0;
    region.setAttribute('role', 'region');
    region.setAttribute('aria-label', region.tagName === 'PRE' ? 'Code' : 'Table');
  }
});
