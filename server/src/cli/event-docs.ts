/** Prints docs/events.md from the list of events. */
import { type EventFacts, events } from '../platform/observability/events.ts';

const head = `# Events of the log

Printed by \`npm run docs:print\` from \`server/src/platform/observability/events.ts\`; [Logs](operations.md#logs) tells how to read them.

One JSON object a line, on standard output. A name below stays what it is and means what it says here; a test and the
compiler see to it that no line has another one. Every line has \`time\`, \`level\`, \`event\`, \`msg\` and
\`service\`; what is logged while a request runs has its \`correlationId\`. \`userId\` is who acted, \`err\` an error.
No line holds a password, a token, a link's secret, an e-mail address or what somebody typed.
`;

const tableOf = (isSecurity: boolean): string[] => [
  '| Event | Level | Also in its line | What happened |',
  '| - | - | - | - |',
  ...Object.entries<EventFacts>(events)
    .filter(([, facts]) => facts.isSecurity === isSecurity)
    .map(([name, facts]) => `| \`${name}\` | ${facts.levels.join(', ')} | ${fieldsOf(facts)} | ${facts.meaning} |`),
];

const fieldsOf = ({ fields }: EventFacts): string => fields.map((field) => `\`${field}\``).join(', ');

/** The whole page. */
export const eventDocs = (): string =>
  [
    head,
    '## Security',
    '',
    'Who did what to whom, or tried to. These lines say `"security": true`, and are what to send to whoever watches for attacks.',
    '',
    ...tableOf(true),
    '',
    '## Operation',
    '',
    'How the service itself fares.',
    '',
    ...tableOf(false),
    '',
  ].join('\n');
