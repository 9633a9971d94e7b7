namespace PerfHub.Consumers;

/// <summary>The treatment of a connection whose queue is full.</summary>
internal enum SlowPolicy
{
    Cut, // it is disconnected
    Conflate, // it receives the last values of each item when it catches up
    Drop, // updates are left out
}
