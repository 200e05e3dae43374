/** What tabs tell each other: that somebody signed in or out. The receiver asks the server; it never takes a word. */

export type SessionNews = 'signed-in' | 'signed-out';

export interface SessionChannel {
  tell(news: SessionNews): void;
  listen(listener: (news: SessionNews) => void): void;
}

export const openSessionChannel = (name = 'gatehouse-session'): SessionChannel => {
  const channel = new BroadcastChannel(name);
  return {
    tell: (news) => channel.postMessage(news),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (data === 'signed-in' || data === 'signed-out') listener(data);
      });
    },
  };
};
