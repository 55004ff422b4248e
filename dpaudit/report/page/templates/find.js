// Shows the entries that match what is asked for; without this script the page shows all of them.
(() => {
  const form = document.querySelector('form.find');
  const { words, outcome } = form.elements;
  const said = form.querySelector('output');
  const others = form.querySelector('ul');
  const MOST = 40;
  const entries = [...document.querySelectorAll('main [data-outcome]')];
  const groups = [...document.querySelectorAll('main section, main .claim')];
  const folded = [...document.querySelectorAll('main details:not([open])')];
  const elsewhere = Object.entries(JSON.parse(document.getElementById('elsewhere')?.textContent ?? '{}'));
  let texts;

  const shows = part => part.querySelector('[data-outcome]:not([hidden])') !== null;
  const named = anchor => decodeURIComponent(anchor.slice(2));

  function find() {
    texts ??= entries.map(entry => entry.textContent.toLowerCase());
    const asked = words.value.trim().toLowerCase();
    const active = Boolean(asked || outcome.value);
    const fits = (found, text) => (!outcome.value || found === outcome.value) && text.includes(asked);
    entries.forEach((entry, place) => { entry.hidden = !fits(entry.dataset.outcome, texts[place]); });
    groups.forEach(part => { part.hidden = active && !shows(part); });
    folded.forEach(part => { part.open = active && shows(part); });
    const here = new Set(entries.filter(entry => !entry.hidden).map(entry => entry.dataset.id));
    const links = !active ? [] : elsewhere.flatMap(([page, rows]) =>
      rows.filter(([anchor, found]) => fits(found, named(anchor).toLowerCase())).map(([anchor]) => [page, anchor]));
    said.textContent = active ? `${here.size} on this page, ${links.length} more by their id on other pages` : '';
    others.replaceChildren(...links.slice(0, MOST).map(linked));
  }

  function linked([page, anchor]) {
    const link = document.createElement('a');
    link.href = `${page}#${anchor}`;
    link.textContent = named(anchor);
    const item = document.createElement('li');
    item.append(link);
    return item;
  }

  form.hidden = false;
  form.addEventListener('input', find);
  form.addEventListener('submit', event => event.preventDefault());
})();
