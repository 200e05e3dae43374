/** By the id of the organization that owns them; a real application has a database. */
export interface Note {
  readonly text: string;
  readonly author: string;
}

// Next.js loads this module once for pages and once for route handlers.
const shared = globalThis as typeof globalThis & { notes?: Map<string, readonly Note[]> };
shared.notes ??= new Map();
const { notes } = shared;

export const listNotes = (organizationId: string): readonly Note[] => notes.get(organizationId) ?? [];

export const addNote = (organizationId: string, note: Note): void => {
  notes.set(organizationId, [...listNotes(organizationId), note]);
};
