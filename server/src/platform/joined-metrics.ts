/**
 * One text for Prometheus out of those of several processes that answer at one port: whichever of them a scrape meets, it
 * reads all of them, each series with the `worker` that it is of.
 */

export interface PartOfMetrics {
  /** Of a small closed list, such as 1 to 8: each is a series of its own. */
  readonly worker: number;
  /** In the text format of Prometheus, version 0.0.4. */
  readonly text: string;
}

interface Family {
  /** The lines of HELP and TYPE, which stand once. */
  readonly head: Set<string>;
  readonly samples: string[];
}

/** The format wants the lines of a family together. */
export const joinMetrics = (parts: readonly PartOfMetrics[]): string => {
  const families = new Map<string, Family>();
  for (const part of parts) addPart(families, part);
  const lines = Array.from(families.values(), ({ head, samples }) => [...head, ...samples]).flat();
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
};

const addPart = (families: Map<string, Family>, { worker, text }: PartOfMetrics): void => {
  let current = familyOf(families, '');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
    if (name === undefined) current.samples.push(labelled(line, worker));
    else {
      current = familyOf(families, name);
      current.head.add(line);
    }
  }
};

const familyOf = (families: Map<string, Family>, name: string): Family => {
  const known = families.get(name);
  if (known !== undefined) return known;
  const family = { head: new Set<string>(), samples: [] };
  families.set(name, family);
  return family;
};

/** What stands between the braces may hold any character within its quotes, so it is left as it is. */
const labelled = (sample: string, worker: number): string => {
  const [name = ''] = /^[^{ ]+/.exec(sample) ?? [];
  const rest = sample.slice(name.length);
  if (!rest.startsWith('{')) return `${name}{worker="${worker}"}${rest}`;
  const comma = rest.startsWith('{}') ? '' : ',';
  return `${name}{worker="${worker}"${comma}${rest.slice(1)}`;
};
