/** Bundles a page of these tests, as an application's development build, with one of two versions of React. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export type ReactMajor = '18' | '19';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const folderOf = (name: string, major: ReactMajor): string =>
  here(`../../../../../node_modules/${name}${major === '18' ? '-18' : ''}`);

/** @param entry a module of this package */
export const bundlePage = async (entry: string, major: ReactMajor): Promise<string> => {
  const bundle = await rolldown({
    input: here(`../../../${entry}`),
    platform: 'browser',
    checks: { moduleLevelDirective: false },
    resolve: {
      alias: {
        react: folderOf('react', major),
        'react-dom': folderOf('react-dom', major),
        '@gatehouse/client': here('../../../../client/src/index.ts'),
        '@gatehouse/react': here('../../../src/index.tsx'),
      },
    },
    // With React's warnings.
    transform: { define: { 'process.env.NODE_ENV': '"development"' }, jsx: { runtime: 'automatic' } },
  });
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
  await bundle.close();
  return output.map((part) => (part.type === 'chunk' ? part.code : '')).join('\n');
};
