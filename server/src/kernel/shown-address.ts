/**
 * How an e-mail address is shown: its domain in its own letters (IDNA, RFC 5890) where it cannot pass for one of
 * another script, else in ASCII. Free of Node: the portal uses it too.
 */
import { orNull } from './attempts.ts';

/** Latin with the accents of European languages and Vietnamese, without the likes of a dotless i. */
const latin =
  /^[-a-z0-9\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e\u0219\u021b\u1ea0-\u1ef9]+$/;

/** Scripts with few letters that look like Latin ones; of Hangul whole syllables, whose parts look like other signs. */
const distinct =
  /^(?:[-0-9ー\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|[-0-9\uac00-\ud7a3\p{sc=Han}]+|[-0-9\p{sc=Arabic}]+|[-0-9\p{sc=Hebrew}]+|[-0-9\p{sc=Devanagari}]+|[-0-9\p{sc=Bengali}]+|[-0-9\p{sc=Tamil}]+|[-0-9\p{sc=Thai}]+)$/u;

/** A label of nothing else passes for a Latin one (UTS 39, whole-script confusables; as in Chromium). */
const latinLike = /^[-0-9דוחיןסاهہەھऽடபทนบพรหเแดลปฟม]+$/u;

/** Digits of other scripts, and strokes and radicals, which pass for ASCII, for kana or for other Han anywhere. */
const signLike = /[〇丨丶丿亻囗]|(?![0-9])\p{Nd}/u;

/** Kana, and the Han or hiragana that each passes for, at the same place (UTS 39, confusables). */
const [kana, other] = ['ーニハカトロタエヘベペ', '一二八力卜口夕工へべぺ'];

const swapped = (text: string, from: string, to: string): string =>
  text.replace(/./gu, (sign) => to[from.indexOf(sign)] ?? sign);

/**
 * With each of these signs as its neighbours ask for: kana beside another katakana, Han or hiragana elsewhere. The same
 * for all labels that look alike, so that at most one of them is shown in its letters.
 */
const asNeighboursAsk = (label: string): string =>
  swapped(label, kana, other).replace(
    new RegExp(`(?<=\\p{sc=Katakana})[${other}]+|[${other}]+(?=\\p{sc=Katakana})|(?<=\\p{sc=Hiragana})一`, 'gu'),
    (signs) => swapped(signs, other, kana),
  );

const isDistinct = (label: string): boolean =>
  distinct.test(label) && !latinLike.test(label) && !signLike.test(label) && asNeighboursAsk(label) === label;

/** Scripts with letters that look like Latin ones: shown only below a top-level domain of the script, such as `.рф`. */
const alike = [/^[-0-9\p{sc=Cyrillic}]+$/u, /^[-0-9\p{sc=Greek}]+$/u];

const isClear = (label: string, top: string): boolean =>
  latin.test(label) || isDistinct(label) || alike.some((script) => script.test(label) && script.test(top));

// Punycode (RFC 3492, section 6.2), with its parameters for domain names.

const [base, least, most, skew, damp] = [36, 1, 26, 38, 700] as const;

const adapted = (delta: number, length: number, isFirst: boolean): number => {
  let left = Math.floor(delta / (isFirst ? damp : 2));
  left += Math.floor(left / length);
  let k = 0;
  for (; left > ((base - least) * most) / 2; k += base) left = Math.floor(left / (base - least));
  return k + Math.floor(((base - least + 1) * left) / (left + skew));
};

const digitOf = (sign: string): number => (/[a-z]/.test(sign) ? sign.charCodeAt(0) - 97 : Number(sign) + 26);

/** @throws RangeError for a text that is no Punycode */
const decoded = (text: string): string => {
  const end = Math.max(0, text.lastIndexOf('-'));
  const signs = text.slice(0, end).split('');
  const digits = text.slice(end === 0 ? 0 : end + 1).split('');
  let [code, bias, at] = [128, 72, 0];
  while (digits.length > 0) {
    const from = at;
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = digitOf(digits.shift() ?? '-');
      at += digit * weight;
      const threshold = Math.min(most, Math.max(least, k - bias));
      if (!(digit >= threshold)) break;
      weight *= base - threshold;
    }
    bias = adapted(at - from, signs.length + 1, from === 0);
    code += Math.floor(at / (signs.length + 1));
    at %= signs.length + 1;
    signs.splice(at, 0, String.fromCodePoint(code));
    at += 1;
  }
  return signs.join('');
};

/** Null where the letters are not those of this domain, or can pass for those of another script. */
const inOwnLetters = (domain: string): string | null =>
  orNull(() => {
    const labels = domain.split('.').map((label) => (label.startsWith('xn--') ? decoded(label.slice(4)) : label));
    const own = labels.join('.');
    const isSame = new URL(`http://${own}`).hostname === domain;
    return isSame && labels.every((label) => isClear(label, labels.at(-1) ?? '')) ? own : null;
  });

/** @param email normalized: its domain in ASCII */
export const shownAddress = (email: string): string => {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!domain.includes('xn--')) return email;
  return `${email.slice(0, -domain.length)}${inOwnLetters(domain) ?? domain}`;
};
