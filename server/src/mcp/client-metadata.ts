/**
 * Clients' statements about themselves: in `_meta` of each request (MCP 2026-07-28), and in `initialize` before that.
 * Only their form is checked: nothing here depends on them.
 */
import { z } from 'zod';
import type { JsonRecord } from '../kernel/records.ts';

/** Reserved names in `_meta` of params (MCP 2026-07-28). */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

const progressToken = z.union([z.string(), z.number().int()]).optional();
const jsonObject = z.record(z.string(), z.unknown()).optional();
const text = z.string().optional();

const icon = z.object({
  src: z.string(),
  mimeType: text,
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

/** The name and version of a client. */
export const implementation = z.object({
  name: z.string(),
  version: z.string(),
  title: text,
  websiteUrl: text,
  description: text,
  icons: z.array(icon).optional(),
});

/** The optional features of a client; none of them is used here. */
const capabilities = z.object({
  experimental: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  sampling: z.object({ context: jsonObject, tools: jsonObject }).optional(),
  elicitation: z
    .looseObject({ form: z.looseObject({ applyDefaults: z.boolean().optional() }).optional(), url: jsonObject })
    .optional(),
  roots: z.object({ listChanged: z.boolean().optional() }).optional(),
  extensions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const taskCapabilities = z.object({
  list: jsonObject,
  cancel: jsonObject,
  requests: z
    .object({
      sampling: z.object({ createMessage: jsonObject }).optional(),
      elicitation: z.object({ create: jsonObject }).optional(),
    })
    .optional(),
});

/** The same as a handshake declares them. */
export const handshakeCapabilities = capabilities.extend({ tasks: taskCapabilities.optional() });

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

const requestMeta = z.object({
  progressToken,
  [metaKeys.version]: z.string(),
  [metaKeys.clientInfo]: implementation.optional(),
  [metaKeys.capabilities]: capabilities,
  [metaKeys.logLevel]: z.enum(levels).optional(),
});

const requiredKeys = [metaKeys.version, metaKeys.capabilities] as const;

/** A member of `_meta` that is missing or not valid. */
export interface MetaIssue {
  readonly key: string;
  readonly problem: 'missing' | 'invalid';
}

/** The required members that `_meta` does not have. */
export const missingMeta = (meta: JsonRecord): readonly string[] => requiredKeys.filter((key) => !(key in meta));

/** The first fault of a request's `_meta`; null when it is valid. */
export const metaIssue = (meta: JsonRecord): MetaIssue | null => {
  const [missing] = missingMeta(meta);
  if (missing !== undefined) return { key: missing, problem: 'missing' };
  const parsed = requestMeta.safeParse(meta);
  if (parsed.success) return null;
  return { key: String(parsed.error.issues[0]?.path[0]), problem: 'invalid' };
};

/** `_meta` of any request. */
export const commonMeta = z
  .object({ progressToken, 'io.modelcontextprotocol/related-task': z.object({ taskId: z.string() }).optional() })
  .optional();
