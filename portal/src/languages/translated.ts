/** The type of a translation: the keys of the English messages, no more and no fewer, each with a text. */

export type Translated<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Translated<Messages[Key]>;
};
