/** How `npm run docs` serves the built site: on the loopback, and with 404 for what is no page. */
export default { appType: 'mpa', preview: { host: '127.0.0.1', strictPort: true } };
