/** A server component: the notes of the person's organization, with the page itself. */
import { RedirectToSignIn, SignedOut } from '@gatehouse/react';
import { requireActor } from '../../lib/identity';
import { listNotes } from '../../lib/notes';
import { NoteForm } from './note-form';

const Notes = async () => {
  const { currentMembership, scopes } = await requireActor();
  if (currentMembership === null || !scopes.includes('notes:read')) return <p>You may not read notes here.</p>;
  const { organization } = currentMembership;
  const notes = listNotes(organization.id);
  return (
    <>
      <h1>{organization.name}</h1>
      <NoteForm />
      {/* The session may end after the server has rendered this, such as in another tab. */}
      <SignedOut>
        <RedirectToSignIn />
      </SignedOut>
      {notes.length === 0 && <p>Nobody has written a note yet.</p>}
      <ul>
        {notes.map(({ text, author }, index) => (
          <li key={String(index)}>
            {text} <small>{author}</small>
          </li>
        ))}
      </ul>
    </>
  );
};

export default Notes;
