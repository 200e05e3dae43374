/** The messages of ../../en/sign-in/password-review.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'seu provedor',
  title: 'Você definiu a senha desta conta?',
  text: 'Esta conta agora está conectada a {provider}, porque o endereço é o mesmo. Ela também tem uma senha, definida antes. Se não foi você quem a definiu, outra pessoa pode conhecê-la: remova-a.',
  consequence:
    'Ao removê-la, todos os outros dispositivos e clientes são desconectados. A partir de então, você entra com {provider}.',
  remove: 'Remover a senha',
  keep: 'Fui eu: manter a senha',
  removed:
    'A senha foi removida, e todos os outros dispositivos foram desconectados. A partir de agora, você entra com {provider}.',
  kept: 'A senha continua. Você pode entrar com ela ou com {provider}.',
};
