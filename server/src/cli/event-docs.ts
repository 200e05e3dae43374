/** Prints docs/events.md from the list of events. */
import meanings from '../platform/observability/event-meanings.json' with { type: 'json' };
import { type EventDefinition, events } from '../platform/observability/events.ts';

const head = `# Events of the log

Printed by \`npm run docs:print\` from \`events.ts\` and \`event-meanings.json\` in \`server/src/platform/observability\`; [Logs](operations.md#logs) explains how to read them.

Each line is one JSON object on standard output. Names and meanings of events do not change; the compiler and a test
refuse any other event. Every line has \`time\`, \`level\`, \`event\`, \`msg\` and \`service\`; a line that is
logged during a request has its \`correlationId\`. \`userId\` is the acting user, \`err\` an error. No line holds
a password, a token, the secret of a link, an e-mail address or other user input.
`;

const tableOf = (isSecurity: boolean): string[] => [
  '| Event | Level | Also in its line | What happened |',
  '| - | - | - | - |',
  ...Object.entries<EventDefinition>(events)
    .filter(([, facts]) => facts.isSecurity === isSecurity)
    .map(([name, facts]) => `| \`${name}\` | ${facts.levels.join(', ')} | ${fieldsOf(facts)} | ${meaningOf[name]} |`),
];

const meaningOf: Readonly<Record<string, string>> = meanings satisfies Readonly<Record<keyof typeof events, string>>;

const fieldsOf = ({ fields }: EventDefinition): string => fields.map((field) => `\`${field}\``).join(', ');

/** The whole page. */
export const eventDocs = (): string =>
  [
    head,
    '## Security',
    '',
    'Actions of users and clients, and refused attempts. These lines have `"security": true`: send them to your security monitoring.',
    '',
    ...tableOf(true),
    '',
    '## Operation',
    '',
    'The state of the service itself.',
    '',
    ...tableOf(false),
    '',
  ].join('\n');
