/** Checks every line that is logged in a test against the list of events: its name, its level and its fields. */
import { type EventDefinition, events } from '../../../src/platform/observability/events.ts';

interface LogLine {
  readonly event?: string;
  readonly level: string;
  readonly msg?: string;
  readonly security?: boolean;
}

const known = new Map<string, EventDefinition>(Object.entries(events));
const everywhere: ReadonlySet<string> = new Set([
  'level',
  'time',
  'service',
  'event',
  'msg',
  'security',
  'correlationId',
  'traceId',
  'spanId',
]);

/** The problem of a line, or null. */
export const eventProblem = (text: string): string | null => {
  const line = JSON.parse(text) as LogLine;
  const { event, level, security, msg = '' } = line;
  if (event === undefined) return `A line has no event: ${text}`;
  // All of ours have an event; the framework's lines report errors, except for this one.
  if (event === 'http.framework' && !msg.startsWith('Server listening at ')) return `A line of the framework: ${text}`;
  const facts = known.get(event);
  if (facts === undefined) return `${event} is no event of events.ts`;
  if (!facts.levels.some((each) => each === level)) return `${event} is logged at ${level}`;
  if ((security === true) !== facts.isSecurity) return `${event} says of itself: security ${security}`;
  const more = Object.keys(line).filter((key) => !everywhere.has(key) && !facts.fields.includes(key));
  return more.length === 0 ? null : `${event} has ${more.join(', ')}, which events.ts does not tell of`;
};
