/** The metrics of a service, read like Prometheus does. */
import type { Service } from './gatehouse.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** Every series of a text in the format of Prometheus. */
const samplesOf = (text: string): readonly Sample[] =>
  text
    .split('\n')
    .filter((each) => each !== '' && !each.startsWith('#'))
    .map((each) => {
      const [, name = '', labels = '', value] = line.exec(each) ?? [];
      const pairs = Array.from(labels.matchAll(label), ([, key = '', text_ = '']) => [key, text_] as const);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });

export class Scrape {
  readonly text: string;
  readonly samples: readonly Sample[];

  constructor(text: string) {
    this.text = text;
    this.samples = samplesOf(text);
  }

  /** The sum over all series of the name with these labels; 0 without one. */
  of(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples
      .filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .reduce((sum, { value }) => sum + value, 0);
  }

  has(name: string): boolean {
    return this.samples.some((sample) => sample.name === name);
  }
}

export const scrape = async ({ url }: Pick<Service, 'url'>): Promise<Scrape> =>
  new Scrape(await (await fetch(`${url}/metrics`)).text());

/** The increase of series during some work. */
export const growth = async (
  service: Pick<Service, 'url'>,
  work: () => Promise<unknown>,
): Promise<(name: string, labels?: Readonly<Record<string, string>>) => number> => {
  const before = await scrape(service);
  await work();
  const after = await scrape(service);
  return (name, labels) => after.of(name, labels) - before.of(name, labels);
};
