/** What stays of a form whose person's session ended under it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createDrafts, type Drafts, forgetDraftsOfOthers, keepWhenSessionEnds } from '../src/session/drafts.ts';
import type { SessionState } from '../src/session/session-store.ts';

const personOf = (id: string): SessionState => ({ kind: 'in', person: { id } as never });
const ended: SessionState = { kind: 'out', ending: 'ended' };

/** A session whose state a test moves. */
const createSession = (first: SessionState) => {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    become: (next: SessionState) => {
      state = next;
      for (const listener of listeners) listener();
    },
  };
};

describe('a draft', () => {
  const texts = new Map<string, string>();
  let drafts: Drafts;
  beforeEach(() => {
    texts.clear();
    drafts = createDrafts(() => ({
      getItem: (name) => texts.get(name) ?? null,
      setItem: (name, text) => void texts.set(name, text),
      removeItem: (name) => void texts.delete(name),
    }));
  });

  const typed = { email: 'noor@example.com' };
  const watch = (first: SessionState) => {
    const session = createSession(first);
    forgetDraftsOfOthers(session, drafts);
    const stop = keepWhenSessionEnds(session, drafts, 'invite', () => typed);
    return { ...session, stop };
  };

  it('is kept when the session ends by itself, for the person and the form, and nothing before', () => {
    const session = watch(personOf('ada'));
    expect(texts.size).toBe(0);
    session.become(ended);
    session.become(personOf('ada'));
    expect(drafts.find('ada', 'invite')).toEqual(typed);
    expect(drafts.find('ada', 'rename')).toBeUndefined();
    drafts.remove('invite');
    expect(texts.size).toBe(0);
  });

  it('is kept when another tab saw the end first', () => {
    const session = watch(personOf('ada'));
    session.become({ kind: 'unknown', problem: undefined });
    session.become(ended);
    expect(drafts.find('ada', 'invite')).toEqual(typed);
  });

  // Specification: Many processes and starts — A draft is kept for one person, and for nobody after a sign-out
  it('goes with a person who leaves on purpose, and when another person comes', () => {
    const session = watch(personOf('ada'));
    session.become({ kind: 'out', ending: 'signed-out' });
    expect(texts.size).toBe(0);
    session.become(personOf('ada'));
    session.become(ended);
    expect(drafts.find('grace', 'invite')).toBeUndefined();
    session.become(personOf('grace'));
    expect(texts.size).toBe(0);
  });

  it('is not kept of a form that is closed', () => {
    const session = watch(personOf('ada'));
    session.stop();
    session.become(ended);
    expect(texts.size).toBe(0);
  });

  it('is none where the storage holds something else, or is refused', () => {
    for (const text of ['{', '7', '[["invite"]]', '[["invite", {"person": "ada", "draft": {"email": 7}}]]']) {
      texts.set('gatehouse-drafts', text);
      expect(drafts.find('ada', 'invite')).toBeUndefined();
    }
    const refused = createDrafts(() => {
      throw new DOMException('Denied', 'SecurityError');
    });
    refused.keep('ada', 'invite', typed);
    expect(refused.find('ada', 'invite')).toBeUndefined();
  });
});
