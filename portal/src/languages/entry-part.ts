/** The part of the messages that the entry and everything it imports statically show. The build fills it in. */
export const entryPart: string = '';
