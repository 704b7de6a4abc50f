// Tells the server the zone of the browser, brings a page up to date when an agreement has changed, answers a question while it is typed, and zooms
// and moves the picture. Pages work without it.
'use strict';
(function () {
  var WIDTH = 1000, MOST = 32;
  // The part of the picture that is seen: where it begins, and its share of the whole.
  var begin = 0, share = 1, asked = 0, parts = [], texts = [];
  var steps = {
    'Zoom in': ['+', function () { zoom(0.5, 0.5); }],
    'Zoom out': ['-', function () { zoom(2, 0.5); }],
    'Move back': ['ArrowLeft', function () { move(-0.2); }],
    'Move on': ['ArrowRight', function () { move(0.2); }]
  };
  var signs = {'Zoom in': '+', 'Zoom out': '\u2212', 'Move back': '\u2039', 'Move on': '\u203a'};

  // What lies at a height of the picture that is not seen is drawn when the page is scrolled there.
  function draw() {
    asked = 0;
    var picture = document.querySelector('svg.gantt'), box = picture.getBoundingClientRect();
    function isSeen(y, height) {
      return box.top + y + height > 0 && box.top + y < innerHeight;
    }
    picture.classList.toggle('stretched', share < 1);
    parts.forEach(function (part) {
      var x = begin * WIDTH, width = share * WIDTH;
      if (isSeen(part.y, part.height) && (part.x !== x || part.width !== width)) {
        part.x = x;
        part.width = width;
        part.svg.setAttribute('viewBox', [x, part.y, width, part.height].join(' '));
      }
    });
    texts.forEach(function (one) {
      var x = (one.first - 100 * begin) / share;
      if (isSeen(one.y - 20, 40) && one.x !== x) {
        one.x = x;
        one.text.setAttribute('x', x + '%');
        one.text.style.display = x < 0 || x > 98 ? 'none' : '';
      }
    });
  }

  function later() {
    share = Math.min(1, Math.max(1 / MOST, share));
    begin = Math.min(1 - share, Math.max(0, begin));
    asked = asked || requestAnimationFrame(draw);
  }

  // By a factor, around a place between 0 and 1 of what is seen.
  function zoom(factor, place) {
    var next = Math.min(1, Math.max(1 / MOST, share * factor));
    begin += place * (share - next);
    share = next;
    later();
  }

  function move(part) {
    begin += part * share;
    later();
  }

  function place(event) {
    var box = document.querySelector('svg.times').getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  }

  function furnish() {
    var nav = document.querySelector('nav.span');
    if (!nav) {
      parts = texts = [];
      return;
    }
    Object.keys(steps).forEach(function (name) {
      var button = document.createElement('button');
      button.textContent = signs[name];
      button.className = 'zoom';
      button.setAttribute('aria-label', name);
      button.addEventListener('click', steps[name][1]);
      nav.append(button);
    });
    var picture = document.querySelector('svg.gantt'), held = null, moved = false;
    parts = Array.from(picture.querySelectorAll('svg.times'), function (svg) {
      var view = svg.viewBox.baseVal;
      return {svg: svg, x: view.x, y: view.y, width: view.width, height: view.height};
    });
    texts = Array.from(picture.querySelectorAll('.moves'), function (text) {
      var x = parseFloat(text.getAttribute('x'));
      return {text: text, first: x, x: x, y: Number(text.getAttribute('y'))};
    });
    picture.addEventListener('wheel', function (event) {
      if (event.ctrlKey) {
        event.preventDefault();
        zoom(Math.exp(event.deltaY / 200), place(event));
      }
    }, {passive: false});
    picture.addEventListener('pointerdown', function (event) { held = place(event); moved = false; });
    picture.addEventListener('pointermove', function (event) {
      if (held !== null && event.buttons) {
        moved = moved || Math.abs(place(event) - held) > 0.005;
        if (moved) {
          picture.classList.add('held');
          move(held - place(event));
          held = place(event);
        }
      }
    });
    ['pointerup', 'pointercancel', 'pointerleave'].forEach(function (name) {
      picture.addEventListener(name, function () {
        held = null;
        picture.classList.remove('held');
        // A click comes before: one that ends a move follows no link.
        setTimeout(function () { moved = false; });
      });
    });
    // All parts of one agreement stand out together.
    ['pointerover', 'focusin', 'pointerout', 'focusout'].forEach(function (name, i) {
      picture.addEventListener(name, function (event) {
        var link = i < 2 && event.target.closest('a');
        picture.classList.toggle('lit', Boolean(link));
        picture.querySelectorAll('a.lit').forEach(function (other) { other.classList.remove('lit'); });
        if (link) {
          picture.querySelectorAll('a[href="' + link.getAttribute('href') + '"]').forEach(function (other) { other.classList.add('lit'); });
        }
      });
    });
    picture.addEventListener('dragstart', function (event) { event.preventDefault(); });
    picture.addEventListener('click', function (event) { if (moved) { event.preventDefault(); } }, true);
    if (share < 1) {
      draw();
    }
  }

  document.addEventListener('scroll', function () { asked = asked || (parts.length && requestAnimationFrame(draw)); }, {passive: true});
  document.addEventListener('keydown', function (event) {
    if (document.querySelector('nav.span') && !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.matches('input, select')) {
      Object.values(steps).filter(function (step) { return step[0] === event.key; }).forEach(function (step) {
        event.preventDefault();
        step[1]();
      });
    }
  });

  function page(address) {
    return fetch(address).then(function (answer) {
      return answer.redirected ? Promise.reject(answer.status) : answer.text();
    }).then(function (text) {
      return new DOMParser().parseFromString(text, 'text/html');
    });
  }

  function live(address) {
    var source = new EventSource(address);
    source.addEventListener('changed', function () {
      if (document.querySelector('details[open]') || document.querySelector('main :focus:not(.zoom)')) {
        return;
      }
      page(location.href).then(function (next) {
        var focused = document.activeElement.getAttribute('aria-label');
        ['main', 'header time'].forEach(function (part) {
          document.querySelector(part).replaceWith(next.querySelector(part));
        });
        furnish();
        document.querySelectorAll('button.zoom').forEach(function (button) {
          if (button.getAttribute('aria-label') === focused) {
            button.focus();
          }
        });
      }).catch(function () { source.close(); });
    });
  }

  // The newest answer counts, whichever comes last.
  function refine(form) {
    var waits = 0, number = 0;
    form.addEventListener('input', function () {
      clearTimeout(waits);
      waits = setTimeout(function () {
        if (form.checkValidity()) {
          var address = form.action + '?' + new URLSearchParams(new FormData(form)), mine = number += 1;
          page(address).then(function (next) {
            if (mine === number) {
              document.getElementById(form.dataset.refine).replaceWith(next.getElementById(form.dataset.refine));
              history.replaceState(null, '', address);
            }
          }).catch(function () {});
        }
      }, 400);
    });
  }

  var zone = Intl.DateTimeFormat().resolvedOptions().timeZone, asks = document.querySelector('form[data-refine]');
  if (zone !== document.body.dataset.zone && document.cookie.indexOf('metasched-zone=' + zone) < 0) {
    document.cookie = 'metasched-zone=' + zone + '; path=' + document.querySelector('.brand').pathname + '; SameSite=Strict';
    if (document.body.dataset.events && document.cookie.indexOf('metasched-zone=' + zone) >= 0) {
      location.reload();
    }
  }
  if (document.body.dataset.events) {
    live(document.body.dataset.events);
  }
  if (asks) {
    refine(asks);
  }
  furnish();
})();
