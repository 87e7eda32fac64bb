// SPDX-License-Identifier: BSD-3-Clause
#include "tools/model_lib/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace openqnn::tools::model_lib {
namespace {

namespace fs = std::filesystem;

bool can_run(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

Diagnostic cannot_start(const std::string& program, int error) {
  return system_failure("process-start", concat("the program cannot be started: ", std::strerror(error)))
      .at(program);
}

class Pipe {
 public:
  Pipe() { ok_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    if (!ok_) return;
    ::close(ends_[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ok_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool ok_ = false;
};

class SpawnActions {
 public:
  SpawnActions(int output, const fs::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
};

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// What the signal handler knows. 0: no signal came, no program runs.
std::atomic<int> came = 0;
std::atomic<pid_t> running = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free,
              "a signal handler uses them");

// A compiler is several programs: all of its group end.
void end_running() {
  if (const pid_t process = running; process != 0) ::kill(-process, SIGTERM);
}

void handle(int signal) {
  came = signal;
  end_running();
}

// A group of its own, which a terminal's Ctrl-C does not reach: handle() ends it.
class OwnGroup {
 public:
  OwnGroup() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~OwnGroup() { posix_spawnattr_destroy(&attributes_); }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;

  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_ = {};
};

std::string read_all(int descriptor) {
  std::string text;
  char piece[4096];
  while (true) {
    const ssize_t got = ::read(descriptor, piece, sizeof(piece));
    if (got > 0) text.append(piece, static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

// Where whoever started us ignores the end of children, nobody keeps their status.
constexpr int kNoStatus = 127;

int status_of(pid_t process) {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(process, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return kNoStatus;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

EndingSignals::EndingSignals() {
  struct sigaction action = {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < before_.size(); ++i) {
    ::sigaction(kEndingSignals[i], nullptr, &before_[i]);
    // Whoever started us may want one to be ignored, as nohup does.
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kEndingSignals[i], &action, nullptr);
  }
}

EndingSignals::~EndingSignals() {
  for (size_t i = 0; i < before_.size(); ++i) ::sigaction(kEndingSignals[i], &before_[i], nullptr);
  if (const int signal = came.exchange(0); signal != 0) ::raise(signal);
}

std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return can_run(name) ? std::optional(fs::absolute(name)) : std::nullopt;
  const char* const folders = std::getenv("PATH");
  for (const std::string_view folder : split(folders == nullptr ? "" : folders, ":"))
    if (const fs::path path = fs::path(folder) / name; !folder.empty() && can_run(path))
      return fs::absolute(path);
  return std::nullopt;
}

Result<Finished> run_process(const std::vector<std::string>& words, const fs::path& folder) {
  if (came != 0) return system_failure("interrupted", "a signal ended the work");
  Pipe pipe;
  if (!pipe.ok()) return cannot_start(words.at(0), errno);
  const SpawnActions actions(pipe.writer(), folder);
  const OwnGroup group;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error =
      ::posix_spawn(&process, words[0].c_str(), actions.get(), group.attributes(), arguments.data(), environ);
  if (error != 0) return cannot_start(words[0], error);
  running = process;
  if (came != 0) end_running();  // it came before there was anything to end
  pipe.close_writer();
  Finished finished;
  finished.output = read_all(pipe.reader());
  finished.status = status_of(process);
  running = 0;
  return finished;
}

}  // namespace openqnn::tools::model_lib
