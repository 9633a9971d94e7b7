using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>The users of all threads that were lost, and the log-ins that were tried again: the first of each is reported. Main thread only.</summary>
/// <param name="threads">The threads.</param>
internal sealed class UserFailures(IReadOnlyList<UserThread> threads)
{
    private bool _reportedRetry;

    /// <summary>Why the first user was lost, once it is reported; null before.</summary>
    public string? FirstLoss { get; private set; }

    /// <summary>The log-ins that were tried again, with their reasons.</summary>
    public LoginRetries Retries
    {
        get
        {
            LoginRetries all = new();
            foreach (UserThread thread in threads)
                all.Add(thread.Retries);
            return all;
        }
    }

    /// <summary>Shows what happened for the first time since the last call.</summary>
    public void Report(RunConsole console)
    {
        if (!_reportedRetry && threads.Any(thread => thread.Recording.Counters[UserCounter.LoginsRetried] > 0))
        {
            _reportedRetry = true;
            console.WriteLine($"The first log-in is tried again: {Retries.FindMain()}");
        }

        if (FirstLoss is not null)
            return;
        FirstLoss = threads.Select(thread => thread.FirstFailure).FirstOrDefault(failure => failure is not null);
        if (FirstLoss is not null)
            console.WriteLine($"The first user is lost: {InvariantText.OneLine(FirstLoss)}");
    }

    /// <summary>Explains why users are missing.</summary>
    /// <param name="isAnyoneIn">True when some are logged in: then the first user's state does not explain it.</param>
    public string Explain(bool isAnyoneIn) =>
        threads.Select(thread => thread.FirstFailure ?? (isAnyoneIn ? null : thread.FirstProblem)).FirstOrDefault(text => text is not null)
            ?? Retries.Describe() ?? "images are missing";
}
