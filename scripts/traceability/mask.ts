/**
 * Separates the code of a TypeScript source from its comments and literals, without a compiler. Owns the knowledge of
 * where a string, a template, a regular expression or a comment ends.
 */
export interface Comment {
  readonly start: number;
  readonly end: number;
}

export interface Masked {
  /** As long as the source, with spaces for comments and for the contents of literals; line ends stay. */
  readonly code: string;
  readonly comments: readonly Comment[];
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const string = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
/** From a back quote, or from the brace that ends a substitution, to the next substitution or the closing quote. */
const templatePart = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
const regularExpression = /\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** A slash divides after a value; after these a value begins. */
const beforeValue =
  /(?:^|[(,=:[!&|?{};>+\-*%~^<]|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield|else))\s*$/;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
/** The first and last character stay, so that a reader of the code still sees a literal. */
const hollow = (text: string): string => `${text[0] ?? ''}${blank(text.slice(1, -1))}${text.at(-1) ?? ''}`;

const matchAt = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
};

class Masker {
  readonly comments: Comment[] = [];
  code = '';
  readonly #source: string;
  #depth = 0;
  /** Depth of braces at which each open substitution of a template ends. */
  readonly #substitutions: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  run(): Masked {
    while (this.code.length < this.#source.length) this.#step();
    return { code: this.code, comments: this.comments };
  }

  #step(): void {
    const at = this.code.length;
    const character = this.#source[at] ?? '';
    if (character === '/') this.#slash(at);
    else if (character === "'" || character === '"') this.#literal(matchAt(string, this.#source, at) ?? character);
    else if (character === '`' || (character === '}' && this.#substitutions.at(-1) === this.#depth)) this.#template(at);
    else this.#plain(character);
  }

  #plain(character: string): void {
    if (character === '{') this.#depth += 1;
    if (character === '}') this.#depth -= 1;
    this.code += character;
  }

  #literal(text: string): void {
    this.code += text.length < 2 ? text : hollow(text);
  }

  #slash(at: number): void {
    const text = matchAt(comment, this.#source, at);
    if (text !== null) {
      this.comments.push({ start: at, end: at + text.length });
      this.code += blank(text);
      return;
    }
    const before = this.code
      .slice(Math.max(0, at - 200))
      .trimEnd()
      .slice(-12);
    this.#literal((beforeValue.test(before) ? matchAt(regularExpression, this.#source, at) : null) ?? '/');
  }

  #template(at: number): void {
    const text = matchAt(templatePart, this.#source, at) ?? this.#source.slice(at);
    if (text.startsWith('}')) this.#substitutions.pop();
    if (text.endsWith('${')) this.#substitutions.push(this.#depth);
    this.#literal(text);
  }
}

/** @returns the code of a source and the places of its comments, both in the source's own positions */
export const mask = (source: string): Masked => new Masker(source).run();
