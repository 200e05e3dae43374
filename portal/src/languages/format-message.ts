/**
 * Owns how a compiled message is filled in: as use-intl does, whose module the build replaces by this one, and with
 * each value that has letters or marks of the other direction isolated from the text around it. In languages that are
 * written from right to left, the messages themselves isolate every value.
 */
import formatCompiled from 'use-intl/format-message/format-only';

type Format = typeof formatCompiled;
type Values = Parameters<Format>[2];

const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\u061c\u200e\u200f]/u;

const isolated = <T>(value: T): T | string =>
  typeof value === 'string' && rightToLeft.test(value) ? `\u2068${value}\u2069` : value;

const isolatedValues = (values: Values): Values =>
  values === undefined
    ? undefined
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]));

const formatMessage = (...[key, message, values, options]: Parameters<Format>): ReturnType<Format> =>
  formatCompiled(key, message, isolatedValues(values), options);
// Whether it takes messages that are not compiled.
formatMessage.raw = formatCompiled.raw;

// biome-ignore lint/style/noDefaultExport: it replaces a module that has one
export default formatMessage;
