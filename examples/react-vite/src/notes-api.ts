/**
 * The back end's notes. `gatehouse.fetch` sends the session's cookies there, and renews the session when it has
 * expired.
 */
import { gatehouse, notesUrl } from './gatehouse.ts';

export interface Note {
  readonly text: string;
  readonly author: string;
}

const ask = async <Answer>(init?: RequestInit): Promise<Answer> => {
  const response = await gatehouse.fetch(`${notesUrl}/notes`, init);
  const answer = (await response.json()) as Answer & { readonly error?: { readonly message: string } };
  if (!response.ok) throw new Error(answer.error?.message ?? 'The notes do not answer.');
  return answer;
};

export const listNotes = async (): Promise<readonly Note[]> => (await ask<{ notes: readonly Note[] }>()).notes;

export const writeNote = (text: string): Promise<Note> =>
  ask({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) });
