// Brings a page up to date when an agreement has changed, unless a person is about to do something there. Pages work without it.
'use strict';
(function () {
  var source = new EventSource(document.body.dataset.events);
  source.addEventListener('changed', function () {
    if (document.querySelector('details[open]') || document.querySelector('main :focus')) {
      return;
    }
    fetch(location.href).then(function (answer) {
      return answer.ok && !answer.redirected ? answer.text() : Promise.reject(answer.status);
    }).then(function (text) {
      var next = new DOMParser().parseFromString(text, 'text/html');
      ['main', 'header time'].forEach(function (part) {
        document.querySelector(part).replaceWith(next.querySelector(part));
      });
    }).catch(function () { source.close(); });
  });
})();
