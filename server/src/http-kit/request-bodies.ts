/**
 * Memory budget for request bodies of callers who are not authenticated yet. A body reserves its share in pieces as it
 * arrives, because a large announced length costs its sender nothing, and holds it until the request is answered or its
 * connection ends.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/errors.ts';

const mebibyte = 1024 * 1024;
/** Per process. */
const maxBytesOfBodies = 64 * mebibyte;
/** The share of payment events: until its last byte has arrived, any body can pass for one. */
export const maxBytesOfEvents = 16 * mebibyte;

/** Size of the pieces in which a body is stored and reserved. */
const pieceBytes = 16 * 1024;
const retryAfterSeconds = 5;

export class BodyBudget {
  readonly #most: number;
  readonly #refused: () => void;
  readonly #whole: BodyBudget | null;
  #held = 0;

  /** @param refused called for each body that exceeds the budget @param whole the parent of this budget */
  constructor(refused: () => void = () => undefined, most = maxBytesOfBodies, whole: BodyBudget | null = null) {
    this.#refused = refused;
    this.#most = most;
    this.#whole = whole;
  }

  /** A sub-budget, for a surface that must not prevent the others from receiving. */
  part(most: number): BodyBudget {
    return new BodyBudget(this.#refused, most, this);
  }

  get held(): number {
    return this.#held;
  }

  /** Reserves nothing when it throws. @throws Refusal UNAVAILABLE: the bytes exceed the budget */
  hold(bytes: number): void {
    if (this.#held + bytes > this.#most) {
      this.#refused();
      throw new Refusal('UNAVAILABLE', 'Too many requests are being received at once. Try again in a few seconds.', {
        retryAfterSeconds,
      });
    }
    this.#whole?.hold(bytes);
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#whole?.release(bytes);
    this.#held -= bytes;
  }
}

/** The share of one body in the budget. */
class HeldBody {
  readonly #budget: BodyBudget;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** Grows to this many bytes; never shrinks. @throws Refusal UNAVAILABLE: the bytes exceed the budget */
  growTo(bytes: number): void {
    const more = bytes - this.#bytes;
    if (this.#isReleased || more <= 0) return;
    this.#budget.hold(more);
    this.#bytes = bytes;
  }

  release(): void {
    this.#isReleased = true;
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
  }
}

const decorator = 'heldBody';

export interface BodyOptions {
  readonly budget: BodyBudget;
  /** Longer bodies are rejected with 413. */
  readonly maxBytes: number;
  /** The accepted media type; `*` accepts all. */
  readonly contentType: string;
  readonly as: 'text' | 'bytes';
}

/**
 * Reads the bodies of a scope within the budget. Call once, in a scope of its own. Chunks are copied into larger
 * pieces: as they arrive, a body in chunks of one byte would take a hundred times its length.
 */
export const readBodiesWithin = (scope: FastifyInstance, options: BodyOptions): void => {
  const { budget, maxBytes, contentType, as } = options;
  scope.decorateRequest(decorator, null);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    const { headers } = request;
    if (!hasBody(headers)) return done();
    const length = lengthOf(headers);
    // The parser rejects a body that is too long, unread.
    if (length !== null && length > maxBytes) return done();
    holdOrRefuse(request, reply, budget, Math.min(length ?? 0, pieceBytes), done);
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(contentType, (request, payload: IncomingMessage, done) => {
    const length = lengthOf(request.headers);
    if (length !== null && length > maxBytes) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    const held = request.getDecorator<HeldBody | null>(decorator);
    new BodyReading({ held, length, maxBytes, done: as === 'bytes' ? done : decoded(done) }).read(payload);
  });
};

/** Where another parser reads the bodies: reserves the announced length, or the route's limit. Call once in a scope. */
export const holdBodiesWithin = (scope: FastifyInstance, budget: BodyBudget): void => {
  scope.decorateRequest(decorator, null);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    const { headers } = request;
    const { bodyLimit } = request.routeOptions;
    if (!hasBody(headers)) return done();
    holdOrRefuse(request, reply, budget, Math.min(lengthOf(headers) ?? bodyLimit, bodyLimit), done);
  });
};

/** Leaves the bodies of a scope and its child scopes unread: of routes that take none, such as those for OPTIONS. */
export const leaveBodiesUnread = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
};

/** Whether a request announces a body (RFC 9112, section 6). */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Null for a chunked body, whose length is not announced. */
const lengthOf = (headers: IncomingHttpHeaders): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

const holdOrRefuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  budget: BodyBudget,
  bytes: number,
  done: (error?: Error) => void,
): void => {
  const held = new HeldBody(budget);
  try {
    held.growTo(bytes);
  } catch (error) {
    // Closes the connection, so that the rest of the body is not read.
    reply.header('connection', 'close');
    done(error instanceof Error ? error : new Error('A body could not be held', { cause: error }));
    return;
  }
  request.setDecorator<HeldBody>(decorator, held);
  releaseAtTheEnd(request, reply, held);
  done();
};

/** Both events are needed: a pipelined response may be dropped with its connection without an event of its own. */
const releaseAtTheEnd = ({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, held: HeldBody): void => {
  const release = (): void => {
    socket.off('close', release);
    held.release();
  };
  socket.once('close', release);
  raw.once('close', release);
  // Either may have closed while an earlier hook was waiting.
  if (raw.closed || raw.destroyed || socket.destroyed) release();
};

type Done<Body> = (error: Error | null, body?: Body) => void;

const decoded =
  (done: Done<string>): Done<Buffer> =>
  (error, bytes) =>
    error === null ? done(null, bytes?.toString('utf8')) : done(error);

interface ReadingOptions {
  /** Null where no budget applies. */
  readonly held: HeldBody | null;
  readonly length: number | null;
  readonly maxBytes: number;
  readonly done: Done<Buffer>;
}

class BodyReading {
  readonly #options: ReadingOptions;
  readonly #pieceBytes: number;
  readonly #pieces: Buffer[] = [];
  #received = 0;
  #kept = 0;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#pieceBytes = Math.min(options.length ?? pieceBytes, pieceBytes);
  }

  read(payload: IncomingMessage): void {
    const end = (error: Error | null): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error === null) this.#options.done(null, this.#bytes());
      else this.#options.done(error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        this.#add(chunk);
      } catch (error) {
        end(error instanceof Error ? error : new Error('A body could not be read', { cause: error }));
      }
    };
    const onEnd = (): void => end(null);
    // The client disconnected: the response is not read.
    const onError = (error: Error): void => end(Object.assign(error, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  }

  /** @throws Refusal UNAVAILABLE: beyond the budget; FST_ERR_CTP_BODY_TOO_LARGE: beyond the limit of a body (413) */
  #add(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#options.maxBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    // Nearly every body arrives in one chunk and needs no copy.
    if (this.#received === this.#options.length && chunk.length === this.#received) this.#keep(chunk);
    else this.#copy(chunk, this.#received - chunk.length);
  }

  #copy(chunk: Buffer, position: number): void {
    for (let from = 0; from < chunk.length; ) {
      const used = (position + from) % this.#pieceBytes;
      const piece = used === 0 ? this.#keep(Buffer.allocUnsafeSlow(this.#pieceBytes)) : this.#pieces.at(-1);
      if (piece === undefined) throw new Error('A body has no piece to be written to');
      from += chunk.copy(piece, used, from);
    }
  }

  /** @throws Refusal UNAVAILABLE: when the budget is exceeded */
  #keep(piece: Buffer): Buffer {
    this.#kept += piece.length;
    this.#options.held?.growTo(this.#kept);
    this.#pieces.push(piece);
    return piece;
  }

  #bytes(): Buffer {
    const [only, ...others] = this.#pieces;
    if (only !== undefined && others.length === 0) return only.subarray(0, this.#received);
    return Buffer.concat(this.#pieces, this.#received);
  }
}
