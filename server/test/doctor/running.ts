/** `gatehouse doctor` as its operators run it, and the databases and proxies that its tests put in front of it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { type Environment, runGatehouse } from '../support/gatehouse-process.ts';

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly says: string;
  readonly mend: string | null;
}

export interface Diagnosis {
  readonly code: number | null;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Runs it with `--json`; whatever it finds, it ends with 0 or 1, says nothing on standard error and tells no secret. */
export const diagnose = async (environment: Environment): Promise<Diagnosis> => {
  const { code, stdout, stderr, output } = await runGatehouse(['doctor', '--json'], environment);
  expect(stderr).toBe('');
  expect(output).not.toMatch(/canary/i);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: readonly Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  for (const { level, mend } of findings) expect(mend === null).toBe(level === 'ok');
  return { code, ok, findings };
};

/** The findings of a subject that are no praise. */
export const faults = ({ findings }: Diagnosis, subject: string): Finding[] =>
  findings.filter(({ check, level }) => check === subject && level !== 'ok');

/** Expects exactly one fault on a subject, and answers it. */
export const theFault = (diagnosis: Diagnosis, subject: string): Finding => {
  const found = faults(diagnosis, subject);
  expect(found, JSON.stringify(diagnosis.findings, null, 1)).toHaveLength(1);
  return found[0] ?? { check: subject, level: 'ok', says: '', mend: null };
};

/** What a proxy does to a request, or with an answer, on its way. */
export interface Meddling {
  /** Answers by itself when it returns true. */
  readonly answer?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  readonly request?: (headers: NonNullable<IncomingMessage['headers']>) => void;
  readonly response?: (headers: NonNullable<IncomingMessage['headers']>) => void;
}

export interface Proxy {
  readonly url: string;
  /** Where it sends what it gets, and what it does to it, from now on. */
  pass(target: string, meddling?: Meddling): void;
  close(): Promise<void>;
}

/** A reverse proxy on a free port of 127.0.0.1, which passes everything on as it is until it is told to meddle. */
export const startProxy = async (): Promise<Proxy> => {
  let target = '';
  let meddling: Meddling = {};
  const server = createServer((incoming, response) => {
    if (meddling.answer?.(incoming, response) === true) return;
    forward(target, meddling, incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    pass: (to, how = {}) => {
      target = to;
      meddling = how;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const forward = (target: string, meddling: Meddling, incoming: IncomingMessage, response: ServerResponse): void => {
  const headers = { ...incoming.headers };
  meddling.request?.(headers);
  const options: RequestOptions = { headers, ...(incoming.method === undefined ? {} : { method: incoming.method }) };
  const outgoing = request(`${target}${incoming.url ?? '/'}`, options, (answer) => {
    const answered = { ...answer.headers };
    meddling.response?.(answered);
    response.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(response);
  });
  outgoing.on('error', () => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
  });
  incoming.pipe(outgoing);
};
