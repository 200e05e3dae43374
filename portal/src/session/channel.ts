/**
 * What tabs tell each other: that somebody signed in or out, or that something about the person has changed, such as
 * the active organization. The receiver asks the server; it never takes a word.
 */

const allNews = ['signed-in', 'signed-out', 'changed'] as const;
export type SessionNews = (typeof allNews)[number];

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
        const news = allNews.find((known) => known === data);
        if (news !== undefined) listener(news);
      });
    },
  };
};
