/** `fetch` with the session: cookies for named origins alone, one refresh, one retry. */
import { isRefusal } from './refusal.ts';
import { codeOf, firstError, readJson } from './send.ts';
import { endCodes } from './session.ts';

interface FetchParts {
  readonly fetch: typeof globalThis.fetch;
  /** Origins that get the cookies. */
  readonly origins: readonly string[];
  readonly recover: (hasExpired: boolean) => Promise<unknown>;
}

export const createFetch =
  ({ fetch, origins, recover }: FetchParts): typeof globalThis.fetch =>
  async (input, init) => {
    // The URL as the browser resolves it, which may be against a base of the document.
    const { url, credentials, signal } = input instanceof Request ? input : new Request(input);
    const mode = init?.credentials ?? (credentials === 'omit' ? credentials : 'include');
    const isTrusted = mode !== 'omit' && origins.includes(new URL(url).origin);
    const options: RequestInit = { ...init, credentials: isTrusted ? mode : 'omit' };
    // A clone, because the body of a Request can be read once.
    const attempt = () => fetch(input instanceof Request ? input.clone() : input, options);
    const response = await attempt();
    const hasExpired = isTrusted ? await isExpiry(response) : undefined;
    // After a stream, which was read by the first attempt, the refresh is for the next request.
    return hasExpired !== undefined &&
      (await isRecovered(recover(hasExpired), init?.signal ?? signal)) &&
      !(init?.body instanceof ReadableStream)
      ? attempt()
      : response;
  };

/** Whether a person is signed in. An abort rejects as in `fetch`, and the refresh goes on: other requests need it. */
const isRecovered = async (recovery: Promise<unknown>, signal: AbortSignal): Promise<boolean> => {
  try {
    await Promise.race([recovery, aborted(signal)]);
    return true;
  } catch (error) {
    if (isRefusal(error, ...endCodes)) return false;
    throw error;
  }
};

/** Whether the pair has expired, or is not known; undefined for any other answer. */
const isExpiry = async (response: Response): Promise<boolean | undefined> => {
  const code = response.status === 401 && codeOf(firstError(await readJson(response.clone())));
  if (code === 'ACCESS_EXPIRED') return true;
  return code === 'UNAUTHENTICATED' ? false : undefined;
};

/** Rejects when the signal fires after this. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
