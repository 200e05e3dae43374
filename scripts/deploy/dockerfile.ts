/** Problems of the Dockerfile: findings of a linter, and the rules of this project for its image. */
import { type Dockerfile, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

export interface BuildContext {
  readonly dockerfile: string;
  readonly dockerignore: string;
  /** Whether a path of the repository is there. */
  readonly exists: (path: string) => boolean;
}

export const dockerfileProblems = ({ dockerfile, dockerignore, exists }: BuildContext): string[] => {
  const parsed = DockerfileParser.parse(dockerfile);
  const linted = validate(dockerfile).map(
    ({ range, message }) => `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
  const sources = copiedSources(parsed).filter((path) => !exists(path) || isIgnored(path, dockerignore));
  return [
    ...linted,
    ...sources.map((path) => `COPY ${path}: the repository has none, or .dockerignore leaves it out`),
    ...baseProblems(parsed),
    ...imageProblems(lastStage(parsed)),
  ];
};

const copiedSources = (parsed: Dockerfile): string[] =>
  parsed
    .getCOPYs()
    .filter((copy) => copy.getFlags().every((flag) => flag.getName() !== 'from'))
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue().replace(/\/$/, ''));

/** As in Docker: the last pattern that matches a path, or a folder above it, decides. */
const isIgnored = (path: string, dockerignore: string): boolean => {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const deciding = patterns.findLast((line) => fits(path, line.replace(/^!/, '')));
  return deciding !== undefined && !deciding.startsWith('!');
};

const fits = (path: string, pattern: string): boolean => {
  const source = pattern
    .replaceAll('.', '\\.')
    .replace(/^\*\*\//, '(?:.*/)?')
    .replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${source}(?:/.*)?$`).test(path);
};

/** A stage begins from a version, or from an earlier stage. */
const baseProblems = (parsed: Dockerfile): string[] =>
  parsed
    .getFROMs()
    .filter((from) => (from.getImageTag() ?? 'latest') === 'latest')
    .map((from) => `FROM ${from.getImage()}: name a tag other than latest`);

const lastStage = (parsed: Dockerfile): Instruction[] => {
  const instructions = parsed.getInstructions();
  return instructions.slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'));
};

const asked: readonly { readonly keyword: string; readonly is: RegExp; readonly because: string }[] = [
  { keyword: 'USER', is: /^[1-9]\d*(?::\d+)?$/, because: 'the image runs as a user by number, which is not root' },
  { keyword: 'HEALTHCHECK', is: /CMD\s+\[/, because: 'health is asked without a shell' },
  { keyword: 'ENTRYPOINT', is: /^\[/, because: 'signals reach the process only without a shell' },
  { keyword: 'STOPSIGNAL', is: /^SIGTERM$/, because: 'the process drains on SIGTERM' },
];

const imageProblems = (stage: readonly Instruction[]): string[] =>
  asked
    .filter(({ keyword, is }) => !is.test(argumentsOf(stage, keyword)))
    .map(({ keyword, because }) => `${keyword} of the last stage: ${because}`);

const argumentsOf = (stage: readonly Instruction[], keyword: string): string =>
  stage.findLast((instruction) => instruction.getKeyword() === keyword)?.getRawArgumentsContent() ?? '';
