/** Which bodies are read, and which clients can read the answer: JSON in both directions. */

const json = 'application/json';

/** JSON in UTF-8, as it is. */
export const isReadableJson = (contentType: string | undefined, contentEncoding: string | undefined): boolean => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  if (contentType === json) return true;
  const [type, ...parameters] = partsOf(contentType ?? '');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return type === json && (charset === undefined || /^"?utf-?8"?$/.test(charset));
};

/** False only for a client that takes no JSON; one that does not name the other type of the protocol gets JSON anyway. */
export const takesJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.trim() === '') return true;
  const ranges = accept.split(',').map(partsOf);
  const [best] = [json, 'application/*', '*/*'].flatMap((wanted) => ranges.filter(([type]) => type === wanted));
  return best !== undefined && !best.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
};

const partsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
