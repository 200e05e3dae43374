/** Problems of the Dockerfile: those that its linter finds, and copied files that the repository lacks. */
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

/** @param exists whether the repository has a path */
export const dockerfileProblems = (dockerfile: string, exists: (path: string) => boolean): string[] => [
  ...validate(dockerfile).map(
    ({ range, message }) => `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  ),
  ...copiedSources(dockerfile)
    .filter((path) => !exists(path))
    .map((path) => `COPY ${path}: the repository has none`),
];

const copiedSources = (dockerfile: string): string[] =>
  DockerfileParser.parse(dockerfile)
    .getCOPYs()
    .filter((copy) => copy.getFlags().every((flag) => flag.getName() !== 'from'))
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue().replace(/\/$/, ''));
