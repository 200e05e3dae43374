'use client';

import { useScope } from '@gatehouse/react';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState } from 'react';
import { ownUrl } from '../../lib/addresses';
import { gatehouse } from '../../lib/gatehouse';

/** For those who may write. The route handler decides it again. */
export const NoteForm = () => {
  const router = useRouter();
  const canWrite = useScope('notes:write');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState('');
  if (!canWrite) return null;

  const add = async () => {
    // Renews the session when it has expired, and sends the request again.
    const response = await gatehouse.fetch(`${ownUrl}/api/notes`, { method: 'POST', body: JSON.stringify({ text }) });
    setFailure(response.ok ? '' : 'The note was not saved.');
    if (!response.ok) return;
    setText('');
    router.refresh();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add().catch((error: unknown) => setFailure(String(error)));
  };
  return (
    <form onSubmit={submit}>
      <input aria-label="Note" required value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Add</button>
      {failure !== '' && <p role="alert">{failure}</p>}
    </form>
  );
};
