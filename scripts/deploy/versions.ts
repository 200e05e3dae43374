/** Versions of Gatehouse in files, which have to be the current version. */

/** An image, a tarball, and the tags of compose file and kustomization. */
const named = /\bgatehouse[:-](\d+\.\d+\.\d+)|\bGATEHOUSE_VERSION:-(\d+\.\d+\.\d+)|\bnewTag:\s*['"]?(\d+\.\d+\.\d+)/g;

/** One sentence for each other version, and for a file without one. */
export const versionProblems = (version: string, text: string): string[] => {
  const found = [...text.matchAll(named)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '');
  if (found.length === 0) return ['names no version of Gatehouse'];
  return found.filter((other) => other !== version).map((other) => `names ${other}, and the version is ${version}`);
};
