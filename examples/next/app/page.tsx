import Link from 'next/link';

const Welcome = () => (
  <>
    <h1>Field Notes</h1>
    <p>Notes for your whole organization.</p>
    {/* Not prefetched: the page may lead a visitor to another origin. */}
    <Link href="/notes" prefetch={false}>
      Your notes
    </Link>
  </>
);

export default Welcome;
