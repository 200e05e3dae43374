/** The notes of the active organization, and a form for those who may write. */
import { useScope } from '@gatehouse/react';
import { type SubmitEvent, useEffect, useState } from 'react';
import { listNotes, type Note, writeNote } from './notes-api.ts';

export const Notes = () => {
  const canWrite = useScope('notes:write');
  const [notes, setNotes] = useState<readonly Note[]>();
  const [failure, setFailure] = useState<Error>();

  useEffect(() => {
    listNotes().then(setNotes, setFailure);
  }, []);

  const add = async (text: string) => {
    await writeNote(text);
    setNotes(await listNotes());
  };

  return (
    <>
      {canWrite ? <NoteForm onAdd={add} /> : <p>You may read these notes.</p>}
      {failure !== undefined && <p role="alert">{failure.message}</p>}
      {notes?.length === 0 && <p className="quiet">Nobody has written a note yet.</p>}
      <ul>
        {notes?.map(({ text, author }, index) => (
          <li key={String(index)}>
            {text} <small>{author}</small>
          </li>
        ))}
      </ul>
    </>
  );
};

const NoteForm = ({ onAdd }: { readonly onAdd: (text: string) => Promise<void> }) => {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<Error>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setFailure(undefined);
    onAdd(text).then(() => setText(''), setFailure);
  };
  return (
    <form onSubmit={submit}>
      <input aria-label="Note" required value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Add</button>
      {failure !== undefined && <p role="alert">{failure.message}</p>}
    </form>
  );
};
