/**
 * A process of its own, so that it takes no time from the measuring process: the requested number of concurrent
 * sign-ins, each followed by the next without a pause, and each refusal after 100 ms, far sooner than Retry-After,
 * until the time is up. `node sign-in-load.ts URL`, with a {@link SignInLoad} on standard input; prints an {@link
 * Outcome}.
 */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SignInLoad {
  readonly seconds: number;
  /** One client for each. */
  readonly emails: readonly string[];
  readonly password: string;
  readonly mutation: string;
}

export interface Outcome {
  /** Milliseconds since the epoch, by this machine's clock: of the first request and of the last answer. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Answers by status and code; `no answer` for a connection that ended. */
  readonly answers: Readonly<Record<string, number>>;
  /** Refusals for lack of capacity without Retry-After. */
  readonly withoutRetryAfter: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

interface Answer {
  readonly kind: string;
  readonly tellsWhen: boolean;
}

/** @param network of the client, as a proxy reports it: each has its own */
const send = (url: string, body: string, network: string): Promise<Answer> =>
  new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      'x-forwarded-for': network,
    };
    const sent = request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      json(response).then(
        (value) =>
          resolve({ kind: kindOf(response.statusCode ?? 0, value), tellsWhen: 'retry-after' in response.headers }),
        () => resolve({ kind: 'no answer', tellsWhen: false }),
      );
    });
    sent.on('error', () => resolve({ kind: 'no answer', tellsWhen: false }));
    sent.end(body);
  });

const kindOf = (status: number, body: unknown): string => {
  const code = /"code":"([A-Z_]+)"/.exec(JSON.stringify(body))?.[1] ?? 'OK';
  return `${status} ${code}`;
};

const pauseMillis = 100;

const signInUntil = async (end: number, url: string, body: string, network: string): Promise<Answer[]> => {
  const answers: Answer[] = [];
  while (performance.now() < end) {
    const answer = await send(url, body, network);
    answers.push(answer);
    // Sooner than Retry-After, but not at once: a loop of refusals would measure itself on two cores.
    if (answer.kind.startsWith('429')) await sleep(pauseMillis);
  }
  return answers;
};

const [url = ''] = process.argv.slice(2);
if (url !== '') {
  const { seconds, emails, password, mutation } = (await json(process.stdin)) as SignInLoad;
  const now = (): number => performance.timeOrigin + performance.now();
  const begunAt = now();
  const end = performance.now() + seconds * 1000;
  const clients = emails.map((email, index) => {
    const body = JSON.stringify({ query: mutation, variables: { input: { email, password } } });
    return signInUntil(end, url, body, `10.${index >> 8}.${index & 255}.1`);
  });
  const answers = (await Promise.all(clients)).flat();
  const endedAt = now();
  const counts: Record<string, number> = {};
  for (const { kind } of answers) counts[kind] = (counts[kind] ?? 0) + 1;
  const withoutRetryAfter = answers.filter(({ kind, tellsWhen }) => kind.startsWith('429') && !tellsWhen).length;
  const outcome: Outcome = { begunAt, endedAt, answers: counts, withoutRetryAfter };
  process.stdout.write(JSON.stringify(outcome));
  agent.destroy();
}
