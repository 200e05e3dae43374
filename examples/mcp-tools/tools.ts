/**
 * Tools for the notes of an organization. Each runs for one person, in the organization that they connected a client
 * to.
 */
import { randomUUID } from 'node:crypto';
import { defineTool, ToolError } from 'gatehouse';
import { z } from 'zod';

/** By the id of the organization that owns them; a real application has a database. */
const notesOf = new Map<string, Note[]>();

const note = z.object({ id: z.string(), text: z.string(), author: z.string() });
type Note = z.infer<typeof note>;

const listNotes = defineTool({
  name: 'notes_list',
  title: 'List notes',
  description: 'Lists the notes of the organization, the oldest first. search finds those that contain a text.',
  scopes: ['notes:read'],
  input: z.strictObject({ search: z.string().max(100).default('') }),
  output: z.object({ notes: z.array(note) }),
  isReadOnly: true,
  isDestructive: false,
  run: ({ organization }, { search }) => ({
    notes: (notesOf.get(organization.id) ?? []).filter(({ text }) => text.includes(search)),
  }),
  describe: ({ notes }) => (notes.length === 1 ? '1 note.' : `${notes.length} notes.`),
});

const addNote = defineTool({
  name: 'notes_add',
  title: 'Add a note',
  description: 'Adds a note to the organization, in the name of the person.',
  scopes: ['notes:write'],
  input: z.strictObject({ text: z.string().min(1).max(1000) }),
  output: z.object({ note, dryRun: z.boolean() }),
  isReadOnly: false,
  isDestructive: false,
  run: ({ actor, organization, dryRun }, { text }) => {
    const added = { id: randomUUID(), text, author: actor.name };
    if (!dryRun) notesOf.set(organization.id, [...(notesOf.get(organization.id) ?? []), added]);
    return { note: added, dryRun };
  },
  describe: ({ note: { text }, dryRun }) => `${dryRun ? 'Would add' : 'Added'} the note “${text}”.`,
});

const deleteNote = defineTool({
  name: 'notes_delete',
  title: 'Delete a note',
  description: 'Deletes a note of the organization for good. notes_list has the ids.',
  scopes: ['notes:write'],
  input: z.strictObject({ id: z.string() }),
  output: z.object({ note, dryRun: z.boolean() }),
  isReadOnly: false,
  isDestructive: true,
  run: ({ organization, dryRun }, { id }) => {
    const notes = notesOf.get(organization.id) ?? [];
    const found = notes.find((each) => each.id === id);
    if (found === undefined) throw new ToolError('There is no such note. notes_list has the ids.');
    if (!dryRun) {
      notesOf.set(
        organization.id,
        notes.filter((each) => each !== found),
      );
    }
    return { note: found, dryRun };
  },
  describe: ({ note: { text }, dryRun }) => `${dryRun ? 'Would delete' : 'Deleted'} the note “${text}”.`,
});

export const tools = [listNotes, addNote, deleteNote];
