/** The drawing beside the public pages on wide screens: a gate of nested arches, decorative. */
const centre = 300;
const spring = 430;
const ground = 900;
const opening = 84;
const courses = [
  { inner: 84, outer: 124, stones: 13 },
  { inner: 124, outer: 172, stones: 15 },
  { inner: 172, outer: 230, stones: 17 },
  { inner: 230, outer: 300, stones: 19 },
  { inner: 300, outer: 384, stones: 21 },
];

const number = (value: number): string => value.toFixed(1);

const arch = (radius: number): string =>
  `M${centre - radius} ${ground}V${spring}a${radius} ${radius} 0 0 1 ${radius * 2} 0V${ground}`;

/** Joints between the stones of one course: radial in the arch, horizontal at the sides. */
const joints = ({ inner, outer, stones }: (typeof courses)[number]): string => {
  const overArch = Array.from({ length: stones + 1 }, (_, index) => {
    const angle = Math.PI + (Math.PI * index) / stones;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return `M${number(centre + x * inner)} ${number(spring + y * inner)}L${number(centre + x * outer)} ${number(spring + y * outer)}`;
  });
  const height = (outer - inner) * 1.15;
  const rows = Math.floor((ground - spring) / height);
  const downSides = Array.from({ length: rows }, (_, index) => {
    const y = number(spring + height * (index + 1));
    return `M${centre - outer} ${y}H${centre - inner}M${centre + inner} ${y}H${centre + outer}`;
  });
  return [...overArch, ...downSides].join('');
};

export const GateIllustration = () => (
  <svg
    aria-hidden="true"
    className="absolute inset-0 size-full text-gate-light"
    viewBox="0 0 600 900"
    preserveAspectRatio="xMidYMax slice"
    fill="none"
    stroke="currentColor"
  >
    <defs>
      <linearGradient id="gate-light" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" className="[stop-color:var(--gate-bright)]" stopOpacity="0.95" />
        <stop offset="0.55" className="[stop-color:var(--gate-light)]" stopOpacity="0.55" />
        <stop offset="1" className="[stop-color:var(--gate-light)]" stopOpacity="0.12" />
      </linearGradient>
      <radialGradient id="gate-glow" cx="0.5" cy="0.5" r="0.5">
        <stop offset="0" className="[stop-color:var(--gate-glow)]" stopOpacity="0.34" />
        <stop offset="1" className="[stop-color:var(--gate-glow)]" stopOpacity="0" />
      </radialGradient>
    </defs>
    <circle cx={centre} cy={spring + 40} r="430" fill="url(#gate-glow)" stroke="none" />
    {courses.map((course, index) => (
      <g key={course.outer} opacity={0.5 - index * 0.085} strokeWidth="1">
        <path d={arch(course.outer)} />
        <path d={joints(course)} opacity="0.7" />
      </g>
    ))}
    <path d={`${arch(opening)}Z`} fill="url(#gate-light)" strokeWidth="1.2" />
  </svg>
);
