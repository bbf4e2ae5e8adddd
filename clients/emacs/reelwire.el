;;; reelwire.el --- Facts, filmstrip and waveform of media files  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: multimedia, files

;;; Commentary:

;; M-x reelwire-find-file shows a media file in a buffer of its own: what is in it, a filmstrip,
;; and a waveform.  They are pictures where Emacs can display images, and coloured text elsewhere.
;; Everything comes from one `reelwire serve', which is started when it is first needed; a buffer
;; that is killed closes what it has opened there.
;;
;; SPC plays and pauses, <left> and <right> go 5 seconds back and forth, comma and point a frame.
;; There are no moving pictures, but audio, and a line with the time.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(declare-function dired-get-filename "dired")

(defgroup reelwire nil
  "Facts, filmstrip and waveform of media files."
  :group 'multimedia)

(defcustom reelwire-program "reelwire"
  "The reelwire program: a name to look for, or a path."
  :type 'file)

(defcustom reelwire-filmstrip-count 8
  "The most pictures that a filmstrip has."
  :type 'integer)

(defcustom reelwire-waveform-height 80
  "The height of a waveform that is drawn, in pixels."
  :type 'integer)

;;; The engine

(defvar reelwire--connection nil "The connection to the engine, when there was one.")

(defun reelwire--connection ()
  "The connection to the engine, which is started when it doesn't run."
  (unless (and reelwire--connection (jsonrpc-running-p reelwire--connection))
    (let ((program (or (executable-find reelwire-program)
                       (user-error "There is no program %s; see `reelwire-program'"
                                   reelwire-program))))
      (setq reelwire--connection
            (make-instance
             'jsonrpc-process-connection
             :name "reelwire"
             ;; The log of messages would keep every picture.
             :events-buffer-scrollback-size 0
             :notification-dispatcher (lambda (_connection method params)
                                        (reelwire--notified method params))
             :process (lambda ()
                        (make-process
                         :name "reelwire" :command (list program "serve")
                         :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                         :stderr (get-buffer-create "*reelwire stderr*")))))))
  reelwire--connection)

(defun reelwire--send (method params then otherwise)
  "Ask the engine for METHOD with PARAMS.
Call THEN with the result, or OTHERWISE with the error object."
  (jsonrpc-async-request (reelwire--connection) method params
                         :success-fn then :error-fn otherwise :timeout nil))

;;; What a buffer shows

(defvar-local reelwire--file nil "The file that this buffer shows.")
(defvar-local reelwire--asset nil "The handle of the file's asset.")
(defvar-local reelwire--handles nil "The handles that are to be closed with this buffer.")
(defvar-local reelwire--parts nil "What is shown, an alist of names and strings.")
(defvar-local reelwire--visit 0 "How often the file was opened and closed here.")

(defvar-local reelwire--duration nil "The seconds that the file lasts, when they are known.")
(defvar-local reelwire--player nil "The handle of the player, once something was to be played.")
(defvar-local reelwire--item nil "The handle of what the player plays.")
(defvar-local reelwire--place 0 "The time of the player, in seconds.")
(defvar-local reelwire--rate 0 "The rate that the player is to have; 0 is paused.")
(defvar-local reelwire--ended nil "Non-nil at the end, from where playing begins again.")

(defconst reelwire--order '(heading player tracks filmstrip waveform tags problem))

(defun reelwire--show (part text)
  "Show TEXT as PART of the current buffer."
  (setf (alist-get part reelwire--parts) text)
  (let ((line (line-number-at-pos))
        (column (current-column)))
    (with-silent-modifications
      (erase-buffer)
      (dolist (name reelwire--order)
        (let ((shown (alist-get name reelwire--parts)))
          (when (and shown (not (string-empty-p shown)))
            (insert (propertize shown 'reelwire-part name) "\n"
                    (if (memq name '(heading player)) "" "\n"))))))
    (goto-char (point-min))
    (forward-line (1- line))
    (move-to-column column)))

(defun reelwire--problem (failure)
  "Return the message of an error object FAILURE, with its hint."
  (let ((hint (plist-get (plist-get failure :data) :hint)))
    (propertize (concat (plist-get failure :message) (and hint (concat "\n" hint)))
                'face 'error)))

(defun reelwire--ask (method params then &optional late)
  "Ask for METHOD with PARAMS, and call THEN with the result in this buffer.
An error is shown.  When the buffer was killed or reverted in the
meantime, only LATE is called with the result."
  (let* ((buffer (current-buffer))
         (visit reelwire--visit)
         (is-here (lambda ()
                    (and (buffer-live-p buffer)
                         (= visit (buffer-local-value 'reelwire--visit buffer)))))
         (fail (lambda (failure)
                 (when (funcall is-here)
                   (with-current-buffer buffer
                     (reelwire--show 'problem (reelwire--problem failure)))))))
    (reelwire--send method params
                    (lambda (result)
                      (cond ((plist-get result :error) (funcall fail (plist-get result :error)))
                            ((funcall is-here)
                             (with-current-buffer buffer (funcall then result)))
                            (late (funcall late result))))
                    fail)))

(defun reelwire--make (method params member then)
  "Ask for METHOD with PARAMS, and call THEN with the new object's handle.
The handle is MEMBER of the result, and is closed with the buffer."
  (reelwire--ask method params
                 (lambda (result)
                   (push (plist-get result member) reelwire--handles)
                   (funcall then (plist-get result member)))
                 (lambda (result) (reelwire--close-handle (plist-get result member)))))

(defun reelwire--seconds (time)
  "TIME of the protocol as a number, or nil when it is none."
  (when (consp time)
    (let ((value (plist-get time :value)))
      (/ (if (stringp value) (string-to-number value) value)
         (float (plist-get time :timescale))))))

(defun reelwire--clock (time)
  "TIME of the protocol for people."
  (if-let* ((seconds (reelwire--seconds time)))
      (let ((milliseconds (round (* 1000 seconds))))
        (format "%d:%06.3f" (/ milliseconds 60000) (/ (mod milliseconds 60000) 1000.0)))
    (format "%s" time)))

;;; Facts

(defun reelwire--open ()
  "Open the file of the current buffer, and ask for everything that is shown."
  (reelwire--close)
  (setq reelwire--parts nil)
  (reelwire--show 'heading (propertize (file-name-nondirectory reelwire--file) 'face 'bold))
  (reelwire--make 'asset/open (list :url reelwire--file) :asset
                  (lambda (asset)
                    (setq reelwire--asset asset)
                    (reelwire--load))))

(defun reelwire--load ()
  "Ask for the facts of the asset."
  (reelwire--ask
   'asset/loadValues `(:asset ,reelwire--asset :completion "response"
                       :keys ["duration" "tracks" "commonMetadata"])
   (lambda (result)
     (let* ((values (plist-get result :values))
            (failure (plist-get (plist-get values :tracks) :error))
            (duration (plist-get (plist-get values :duration) :value))
            (tracks (plist-get (plist-get values :tracks) :value)))
       (if failure
           (reelwire--show 'problem (reelwire--problem failure))
         (setq reelwire--duration (reelwire--seconds duration))
         (reelwire--show 'heading (concat (alist-get 'heading reelwire--parts)
                                          "  " (reelwire--clock duration)))
         (reelwire--show 'tags (reelwire--tags
                                (plist-get (plist-get values :commonMetadata) :value)))
         (reelwire--load-tracks tracks)
         (cl-flet ((has (type)
                     (seq-some (lambda (track) (equal (plist-get track :mediaType) type)) tracks)))
           (when (has "video") (reelwire--load-filmstrip (reelwire--seconds duration)))
           (when (has "audio") (reelwire--load-waveform))))))))

(defun reelwire--tags (items)
  "Lines with those of the metadata ITEMS that are text or numbers."
  (mapconcat (lambda (item)
               (format "%-12s %s" (propertize (plist-get item :commonKey)
                                              'face 'font-lock-variable-name-face)
                       (plist-get item :value)))
             (seq-filter (lambda (item)
                           (let ((value (plist-get item :value)))
                             (or (stringp value) (numberp value))))
                         items)
             "\n"))

(defun reelwire--load-tracks (tracks)
  "Ask for what is to be said of TRACKS, one after the other."
  (let ((asset reelwire--asset)
        (lines nil)
        (rest (append tracks nil)))
    (cl-labels ((next ()
                  (reelwire--show 'tracks (string-join (reverse lines) "\n"))
                  (when-let* ((track (pop rest)))
                    (reelwire--ask
                     'track/loadValues
                     `(:asset ,asset :trackID ,(plist-get track :trackID) :completion "response"
                       :keys ["formatDescriptions" "nominalFrameRate"])
                     (lambda (result)
                       (push (reelwire--track track (plist-get result :values)) lines)
                       (next))))))
      (next))))

(defun reelwire--track (track values)
  "The line of a TRACK, whose keys have VALUES."
  (cl-flet ((value (key) (plist-get (plist-get values key) :value)))
    (let* ((formats (value :formatDescriptions))
           (format (and (> (length formats) 0) (elt formats 0)))
           (size (plist-get (plist-get format :video) :dimensions))
           (rate (value :nominalFrameRate))
           (audio (plist-get format :audio))
           (profile (plist-get format :profile))
           (language (plist-get track :languageCode)))
      (concat
       (format "%3d  " (plist-get track :trackID))
       (propertize (format "%-9s" (plist-get track :mediaType)) 'face 'font-lock-keyword-face)
       (string-join
        (delq nil
              (list (concat (or (plist-get format :codec) (plist-get track :mediaSubType))
                            (and profile (format " (%s)" profile)))
                    (and size (format "%d × %d" (plist-get size :width) (plist-get size :height)))
                    (and rate (> rate 0) (format "%g frames/s" rate))
                    (and audio (format "%g kHz" (/ (plist-get audio :sampleRate) 1000.0)))
                    (and audio (plist-get audio :channelLayout))
                    (and language (not (equal language "und")) language)))
        ", ")))))

;;; Pictures

(defun reelwire--columns ()
  "How many columns of text the buffer can show."
  (let ((window (get-buffer-window nil t)))
    (max 20 (1- (if window (window-body-width window) 80)))))

(defun reelwire--pixels ()
  "How many pixels wide pictures are."
  (* (reelwire--columns) (frame-char-width)))

(defun reelwire--bytes (picture)
  "The bytes of a PICTURE of the protocol."
  (base64-decode-string (plist-get (plist-get picture :blob) :data)))

(defun reelwire--image (picture)
  "A PICTURE of the protocol as a string that displays it."
  (propertize (format "[%s]" (plist-get picture :format))
              'display (create-image (reelwire--bytes picture)
                                     (intern (plist-get picture :format)) t)))

(defun reelwire--half-blocks (picture)
  "Return a PICTURE in rgb24 as text, each character two pixels high."
  (let* ((bytes (reelwire--bytes picture))
         (plane (elt (plist-get picture :planes) 0))
         (stride (plist-get plane :bytesPerRow)))
    (cl-flet ((color (x y)
                (let ((at (+ (plist-get plane :offset) (* y stride) (* 3 x))))
                  (format "#%02x%02x%02x" (aref bytes at) (aref bytes (+ at 1))
                          (aref bytes (+ at 2))))))
      (mapconcat
       (lambda (row)
         (mapconcat (lambda (x)
                      (propertize "▀" 'face (list :foreground (color x (* 2 row))
                                                  :background (color x (1+ (* 2 row))))))
                    (number-sequence 0 (1- (plist-get picture :width))) ""))
       (number-sequence 0 (1- (/ (plist-get picture :height) 2)))
       "\n"))))

(defun reelwire--load-filmstrip (seconds)
  "Ask for the filmstrip of the asset, which lasts SECONDS; nil is unknown."
  (let* ((graphic (display-images-p))
         (width (if graphic (reelwire--pixels) (reelwire--columns)))
         (count (max 1 (min reelwire-filmstrip-count (/ (reelwire--columns) 16))))
         ;; The frame in the middle of each part of the film, or a cheaper one earlier in the part.
         (tolerance (if seconds (/ seconds count 2) "+infinity")))
    (reelwire--make
     'imageGenerator/create
     `(:asset ,reelwire--asset :appliesPreferredTrackTransform t
       :requestedTimeToleranceBefore ,tolerance :requestedTimeToleranceAfter 0)
     :imageGenerator
     (lambda (generator)
       (reelwire--ask
        'imageGenerator/contactSheet
        `(:imageGenerator ,generator :count ,count :rows 1 :spacing 2 :completion "response"
          :tileWidth ,(max 2 (- (/ width count) 2)) :format ,(if graphic "jpeg" "rgb24"))
        (lambda (sheet)
          (reelwire--show 'filmstrip (reelwire--filmstrip sheet graphic))))))))

(defun reelwire--filmstrip (sheet graphic)
  "A contact SHEET with the times of its tiles, as a picture when GRAPHIC."
  (concat (if graphic
              (reelwire--image (plist-get sheet :image))
            (reelwire--half-blocks (plist-get sheet :image)))
          "\n"
          (mapconcat (lambda (tile)
                       (let ((x (plist-get tile :x)))
                         (concat (propertize " " 'display
                                             `(space :align-to ,(if graphic (list x) x)))
                                 (reelwire--clock (plist-get tile :actualTime)))))
                     (plist-get sheet :tiles) "")))

(defun reelwire--load-waveform ()
  "Ask for the waveform of the asset."
  (let ((graphic (display-images-p)))
    (reelwire--ask
     'waveform/generate
     `(:asset ,reelwire--asset :completion "response"
       ,@(if graphic
             `(:format "png" :width ,(reelwire--pixels) :height ,reelwire-waveform-height)
           `(:count ,(reelwire--columns))))
     (lambda (result)
       (reelwire--show 'waveform (if graphic
                                     (reelwire--image (plist-get result :image))
                                   (reelwire--bars (plist-get result :channels))))))))

(defun reelwire--bars (channels)
  "How loud the loudest of CHANNELS is, as a line of bars."
  (apply #'string
         (apply #'cl-mapcar
                (lambda (&rest peaks)
                  (aref " ▁▂▃▄▅▆▇█" (round (* 8 (min 1 (apply #'max peaks))))))
                (mapcar (lambda (channel)
                          (cl-mapcar (lambda (low high) (max (abs low) (abs high)))
                                     (plist-get channel :min) (plist-get channel :max)))
                        channels))))

;;; Playing

(defun reelwire--show-place ()
  "Show the time of the player; of a line that is there only that is written anew."
  (let* ((milliseconds (round (* 1000 reelwire--place)))
         (text (format "%d:%06.3f  %s" (/ milliseconds 60000) (/ (mod milliseconds 60000) 1000.0)
                       (if (equal reelwire--rate 0) "paused" "playing")))
         (start (text-property-any (point-min) (point-max) 'reelwire-part 'player)))
    (if (not start)
        (reelwire--show 'player text)
      (setf (alist-get 'player reelwire--parts) text)
      (with-silent-modifications
        (save-excursion
          (goto-char start)
          (insert (propertize text 'reelwire-part 'player))
          (delete-region (point) (next-single-property-change
                                  (point) 'reelwire-part nil (line-end-position))))))))

(defun reelwire--notified (method params)
  "Take a notification of METHOD with PARAMS, in the buffer of its player."
  (let ((player (plist-get params :player)))
    (when-let* ((buffer (and player
                             (seq-find (lambda (each)
                                         (equal player (buffer-local-value 'reelwire--player each)))
                                       (buffer-list)))))
      (with-current-buffer buffer
        (pcase method
          ('timeObserver/didFire
           (setq reelwire--place (reelwire--seconds (plist-get params :time))))
          ('player/didChange
           (when-let* ((rate (plist-get (plist-get params :changes) :rate)))
             (setq reelwire--rate rate)))
          ('playerItem/didPlayToEndTime
           (setq reelwire--ended t
                 reelwire--place (reelwire--seconds (plist-get params :time))))
          ('playerItem/didFailToPlayToEndTime
           (reelwire--show 'problem (reelwire--problem (plist-get params :error)))))
        (reelwire--show-place)))))

(defun reelwire--with-player (then)
  "Call THEN once there is a player of the file."
  (cond
   (reelwire--player (funcall then))
   ((not reelwire--asset) (user-error "The file isn't open"))
   (t (reelwire--make
       'playerItem/create (list :asset reelwire--asset) :playerItem
       (lambda (item)
         (setq reelwire--item item)
         (reelwire--make
          'player/create (list :items (vector item)) :player
          (lambda (player)
            (setq reelwire--player player)
            (reelwire--ask 'player/addPeriodicTimeObserver
                           (list :player player :interval "1/5") #'ignore)
            (funcall then))))))))

(defun reelwire-play-or-pause ()
  "Pause the file, or play it from where it is; after its end from the start."
  (interactive)
  (reelwire--with-player
   (lambda ()
     (if (not (equal reelwire--rate 0))
         (reelwire--ask 'player/pause (list :player reelwire--player) #'ignore)
       (let ((play (lambda (&rest _)
                     (reelwire--ask 'player/play (list :player reelwire--player) #'ignore))))
         (if reelwire--ended (reelwire--seek 0 play) (funcall play)))))))

(defun reelwire--seek (seconds &optional then)
  "Go to the time of SECONDS exactly, and call THEN there."
  (setq reelwire--ended nil
        reelwire--place (min (max 0 seconds) (or reelwire--duration seconds)))
  (reelwire--ask 'player/seek
                 (list :player reelwire--player :time reelwire--place
                       :toleranceBefore 0 :toleranceAfter 0 :completion "response")
                 (or then #'ignore))
  (reelwire--show-place))

(defun reelwire-forward (seconds)
  "Go forth by SECONDS, or 5."
  (interactive (list (if current-prefix-arg (prefix-numeric-value current-prefix-arg) 5)))
  (reelwire--with-player (lambda () (reelwire--seek (+ reelwire--place seconds)))))

(defun reelwire-backward (seconds)
  "Go back by SECONDS, or 5."
  (interactive (list (if current-prefix-arg (prefix-numeric-value current-prefix-arg) 5)))
  (reelwire-forward (- seconds)))

(defun reelwire-step-forward (count)
  "Pause, and go on by COUNT frames."
  (interactive "p")
  (reelwire--with-player
   (lambda ()
     (setq reelwire--ended nil)
     (reelwire--ask 'playerItem/step (list :playerItem reelwire--item :count count)
                    (lambda (result)
                      (setq reelwire--place (reelwire--seconds (plist-get result :time)))
                      (reelwire--show-place))))))

(defun reelwire-step-backward (count)
  "Pause, and go back by COUNT frames."
  (interactive "p")
  (reelwire-step-forward (- count)))

;;; The mode

(defvar reelwire-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "SPC") #'reelwire-play-or-pause)
    (define-key map (kbd "<right>") #'reelwire-forward)
    (define-key map (kbd "<left>") #'reelwire-backward)
    (define-key map (kbd ".") #'reelwire-step-forward)
    (define-key map (kbd ",") #'reelwire-step-backward)
    map)
  "The keys of `reelwire-mode'.")

(defun reelwire--close-handle (handle)
  "Close HANDLE, when there is an engine to say it to."
  (when (and handle reelwire--connection (jsonrpc-running-p reelwire--connection))
    (jsonrpc-async-request reelwire--connection 'handle/close (list :handle handle)
                           :success-fn #'ignore :error-fn #'ignore :timeout-fn #'ignore)))

(defun reelwire--close ()
  "Close what the current buffer has opened; what is under way ends with it."
  (cl-incf reelwire--visit)
  (mapc #'reelwire--close-handle reelwire--handles)
  (setq reelwire--asset nil
        reelwire--handles nil
        reelwire--duration nil
        reelwire--player nil
        reelwire--item nil
        reelwire--place 0
        reelwire--rate 0
        reelwire--ended nil))

(define-derived-mode reelwire-mode special-mode "Reelwire"
  "Facts, filmstrip and waveform of a media file, which can be played.

\\{reelwire-mode-map}"
  (setq truncate-lines t)
  (setq-local revert-buffer-function (lambda (&rest _) (reelwire--open)))
  (add-hook 'kill-buffer-hook #'reelwire--close nil t))

;;;###autoload
(defun reelwire-find-file (file)
  "Show what is in the media FILE: facts, a filmstrip, a waveform."
  (interactive
   (let ((here (and (derived-mode-p 'dired-mode) (dired-get-filename nil t))))
     (list (read-file-name "Media file: " (and here (file-name-directory here)) here t
                           (and here (file-name-nondirectory here))))))
  (setq file (expand-file-name file))
  (when (file-remote-p file)
    (user-error "The engine opens files of this machine only"))
  (let ((buffer (get-buffer-create (format "*reelwire %s*" (abbreviate-file-name file)))))
    (with-current-buffer buffer
      (unless (derived-mode-p 'reelwire-mode)
        (reelwire-mode)
        (setq reelwire--file file
              default-directory (file-name-directory file))))
    (pop-to-buffer-same-window buffer)
    (with-current-buffer buffer (reelwire--open))
    buffer))

(provide 'reelwire)
;;; reelwire.el ends here
