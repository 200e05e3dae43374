/** Owns the gallery's index: one page without scripts or styles of elsewhere, beside the folders of pictures. */
import type { Difference } from './compare.ts';
import { partsOf } from './pictures.ts';

/** @param pictures all names; @param differences those to mark and to show beside the former pictures */
export const indexPage = (
  language: string,
  pictures: readonly string[],
  differences: readonly Difference[],
): string => {
  const states = Map.groupBy([...pictures, ...removedOf(differences)].sort(), (picture) => partsOf(picture).state);
  const marks = new Map(differences.map((difference) => [difference.picture, difference]));
  const articles = Array.from(states, ([state, names]) => article(state, names, marks));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gallery of the portal (${language})</title><style>${style}</style></head>
<body data-scheme="light" data-width="both"><header><h1>Gallery of the portal <small>${language}</small></h1>
<form><label>Name <input type="search" id="filter" placeholder="members, sign-in …" autocomplete="off"></label>
${choice('scheme', ['light', 'dark', 'both'])}${choice('width', ['both', 'wide', 'phone'])}
<label><input type="checkbox" id="changed"${differences.length > 0 ? '' : ' disabled'}> Only the ${differences.length} that differ</label>
<output id="count"></output></form></header><main>${articles.join('\n')}</main><script>${script}</script></body></html>
`;
};

const removedOf = (differences: readonly Difference[]): readonly string[] =>
  differences.filter(({ kind }) => kind === 'removed').map(({ picture }) => picture);

const choice = (name: string, values: readonly string[]): string =>
  `<fieldset><legend>${name}</legend>${values
    .map(
      (value, index) =>
        `<label><input type="radio" name="${name}" value="${value}"${index === 0 ? ' checked' : ''}> ${value}</label>`,
    )
    .join('')}</fieldset>`;

const article = (state: string, names: readonly string[], marks: ReadonlyMap<string, Difference>): string => {
  const isDifferent = names.some((name) => marks.has(name));
  return `<article id="${state}" data-name="${state}"${isDifferent ? ' data-differs' : ''}>
<h2><a href="#${state}">${state.replace('/', ' / ')}</a></h2>
<div class="looks">${names
    .toReversed()
    .map((name) => figures(name, marks.get(name)))
    .join('')}</div></article>`;
};

const figures = (name: string, difference?: Difference): string => {
  const { look } = partsOf(name);
  const [width = '', scheme = ''] = look.split('-');
  const figure = (folder: string, caption: string): string =>
    `<figure data-width="${width}" data-scheme="${scheme}"><figcaption>${caption}</figcaption>` +
    `<a href="${folder}/${name}"><img src="${folder}/${name}" alt="${partsOf(name).state}, ${caption}" loading="lazy"></a></figure>`;
  const words = `${width}, ${scheme}`;
  if (difference === undefined) return figure('pictures', words);
  if (difference.kind === 'added') return figure('pictures', `${words}: added`);
  if (difference.kind === 'removed') return figure('former', `${words}: removed`);
  const share = `${(difference.share * 100).toFixed(3)} % changed`;
  const three = [
    figure('former', `${words}: before`),
    figure('pictures', `${words}: now, ${share}`),
    figure('differences', `${words}: difference`),
  ];
  return `<div class="change" data-width="${width}" data-scheme="${scheme}">${three.join('')}</div>`;
};

const style = `
:root{color-scheme:light dark;--ink:light-dark(#13201c,#e9efec);--soft:light-dark(#51605a,#a4b2ac);--line:light-dark(#d5dcd8,#2c3934);--canvas:light-dark(#eef1ef,#0e1412);--surface:light-dark(#fff,#151d1a);--mark:light-dark(#8f4a00,#f0b860)}
*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--canvas)}
header{position:sticky;top:0;z-index:1;padding:.75rem 1.25rem;background:var(--surface);border-bottom:1px solid var(--line)}
h1{margin:0 0 .4rem;font-size:1.15rem}small{color:var(--soft);font-weight:400}
form{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center}
fieldset{display:flex;gap:.75rem;border:0;padding:0;margin:0}legend{float:left;margin-right:.75rem;color:var(--soft)}
input[type=search]{font:inherit;padding:.3rem .6rem;border:1px solid var(--soft);border-radius:.4rem;background:var(--canvas);color:inherit}
output{color:var(--soft)}main{padding:0 1.25rem 3rem}
article{padding:1.25rem 0;border-bottom:1px solid var(--line);scroll-margin-top:8rem}article[hidden]{display:none}
h2{margin:0 0 .75rem;font-size:1rem}h2 a{color:inherit;text-decoration:none}[data-differs] h2::after{content:" differs";color:var(--mark)}
.looks{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
figure{margin:0;flex:0 1 auto}figcaption{font-size:.8rem;color:var(--soft);padding-bottom:.25rem}
figure[data-width=wide]{width:min(44rem,100%)}figure[data-width=phone]{width:min(15rem,100%)}
img{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:.4rem;background:var(--surface)}
.change{display:flex;gap:1rem;align-items:flex-start;width:100%}
body[data-scheme=light] [data-scheme=dark],body[data-scheme=dark] [data-scheme=light],body[data-width=wide] [data-width=phone],body[data-width=phone] [data-width=wide]{display:none}
@media(max-width:40rem){header{position:static}}`;

const script = `
const articles = [...document.querySelectorAll('article')];
const form = document.querySelector('form');
const show = () => {
  const words = document.querySelector('#filter').value.toLowerCase().split(/\\s+/).filter(Boolean);
  const onlyChanged = document.querySelector('#changed').checked;
  for (const name of ['scheme', 'width']) document.body.dataset[name] = form.elements[name].value;
  let shown = 0;
  for (const article of articles) {
    const fits = words.every((word) => article.dataset.name.includes(word)) && (!onlyChanged || 'differs' in article.dataset);
    article.hidden = !fits;
    if (fits) shown += 1;
  }
  document.querySelector('#count').textContent = shown + ' of ' + articles.length + ' states';
};
form.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
show();`;
