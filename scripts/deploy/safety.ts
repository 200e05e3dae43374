/** The safety settings of the manifests for Kubernetes, which could be lost unnoticed. */
import type { Manifest } from './kubernetes.ts';

interface Workload extends Manifest {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly seccompProfile?: { readonly type: string } };
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly startupProbe?: unknown;
  readonly livenessProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly resources?: {
    readonly requests?: { readonly cpu?: string; readonly memory?: string };
    readonly limits?: { readonly memory?: string };
  };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
}

/** One sentence for each missing setting. */
export const safetyProblems = (manifests: readonly Manifest[]): string[] => {
  const pods = manifests.filter(isWorkload).map(({ spec }) => spec.template.spec);
  const kinds = ['PodDisruptionBudget', 'NetworkPolicy'].filter((kind) => manifests.every((it) => it.kind !== kind));
  return [...kinds.map((kind) => `there is no ${kind}`), ...pods.flatMap(podProblems)];
};

const isWorkload = (manifest: Manifest): manifest is Workload => manifest.kind === 'Deployment';

const podProblems = (pod: PodSpec): string[] => [
  ...(pod.securityContext?.runAsNonRoot === true ? [] : ['runAsNonRoot is not true']),
  ...(pod.securityContext?.seccompProfile?.type === 'RuntimeDefault' ? [] : ['seccompProfile is not RuntimeDefault']),
  ...(pod.automountServiceAccountToken === false ? [] : ['automountServiceAccountToken is not false']),
  ...pod.containers.flatMap((container) => [...servingProblems(container), ...graceProblems(container, pod)]),
  ...[...(pod.initContainers ?? []), ...pod.containers].flatMap(containerProblems),
];

const servingProblems = (container: Container): string[] =>
  (['startupProbe', 'livenessProbe', 'readinessProbe', 'lifecycle'] as const)
    .filter((part) => container[part] === undefined)
    .map((part) => `${container.name} has no ${part}`);

/** Maximum of DRAIN_SECONDS, and the time for requests in flight after it (server/src/cli/exit.ts). */
const stopSeconds = 5 + 10;

/** Kubernetes kills after 30 s by default: an explicit number is required, next to the pause. */
const graceProblems = ({ name, lifecycle }: Container, { terminationGracePeriodSeconds: grace }: PodSpec): string[] => {
  const least = (lifecycle?.preStop?.sleep?.seconds ?? 0) + stopSeconds;
  return (grace ?? 0) >= least
    ? []
    : [`${name} may take ${least} s to stop, longer than terminationGracePeriodSeconds`];
};

const containerProblems = ({ name, resources, securityContext: confined }: Container): string[] =>
  [
    { isKept: resources?.requests?.cpu !== undefined, promise: 'resources.requests.cpu' },
    { isKept: resources?.requests?.memory !== undefined, promise: 'resources.requests.memory' },
    { isKept: resources?.limits?.memory !== undefined, promise: 'resources.limits.memory' },
    { isKept: confined?.allowPrivilegeEscalation === false, promise: 'allowPrivilegeEscalation: false' },
    { isKept: confined?.readOnlyRootFilesystem === true, promise: 'readOnlyRootFilesystem: true' },
    { isKept: confined?.capabilities?.drop?.includes('ALL') === true, promise: 'capabilities.drop: [ALL]' },
  ].flatMap(({ isKept, promise }) => (isKept ? [] : [`${name} lacks ${promise}`]));
