/** Hands a text to the person as a file. */
export const downloadText = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The download has its own reference to the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
