/** Drafts of forms whose session ended. */
import { beforeEach, describe, expect, it } from 'vitest';
import { clearDraftsOfOthers, createDrafts, type Drafts, saveOnSessionEnd } from '../../src/session/drafts.ts';
import type { SessionState } from '../../src/session/session.ts';

const personOf = (id: string): SessionState => ({
  status: 'signedIn',
  user: { id } as never,
  membership: null,
  scopes: [],
});
const ended: SessionState = { status: 'signedOut', reason: 'expired' };

/** A session whose state the test sets. */
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
    clearDraftsOfOthers(session, drafts);
    const stop = saveOnSessionEnd(session, drafts, 'invite', () => typed);
    return { ...session, stop };
  };

  it('is saved when the session ends involuntarily, for the person and the form, and not before', () => {
    const session = watch(personOf('ada'));
    expect(texts.size).toBe(0);
    session.become(ended);
    session.become(personOf('ada'));
    expect(drafts.find('ada', 'invite')).toEqual(typed);
    expect(drafts.find('ada', 'rename')).toBeUndefined();
    drafts.remove('invite');
    expect(texts.size).toBe(0);
  });

  it('is saved when another tab detected the end first', () => {
    const session = watch(personOf('ada'));
    session.become({ status: 'loading', error: undefined });
    session.become(ended);
    expect(drafts.find('ada', 'invite')).toEqual(typed);
  });

  // Contract: operation#drafts-of-forms — A draft is kept for one person, and for no one after a sign-out
  it('is removed when the person signs out, and when another person signs in', () => {
    const session = watch(personOf('ada'));
    session.become({ status: 'signedOut', reason: 'signedOut' });
    expect(texts.size).toBe(0);
    session.become(personOf('ada'));
    session.become(ended);
    expect(drafts.find('grace', 'invite')).toBeUndefined();
    session.become(personOf('grace'));
    expect(texts.size).toBe(0);
  });

  it('is not saved for a closed form', () => {
    const session = watch(personOf('ada'));
    session.stop();
    session.become(ended);
    expect(texts.size).toBe(0);
  });

  it('does not exist when the storage has foreign content, or is denied', () => {
    for (const text of ['{', '7', '[["invite"]]', '[["invite", {"person": "ada", "draft": {"email": 7}}]]']) {
      texts.set('gatehouse-drafts', text);
      expect(drafts.find('ada', 'invite')).toBeUndefined();
    }
    const refused = createDrafts(() => {
      throw new DOMException('Denied', 'SecurityError');
    });
    refused.save('ada', 'invite', typed);
    expect(refused.find('ada', 'invite')).toBeUndefined();
  });
});
