// AwaitedConnection: a server and a client exchange 1,000 opaque messages each way over loopback, with await.
const int MessageCount = 1_000;
using CancellationTokenSource limit = new(TimeSpan.FromSeconds(30));

using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 }); // 0: a free port
Task<int> serving = ServeAsync(listener, limit.Token);
int answers = await AskAsync(listener.Port, limit.Token);
int asked = await serving;
Console.WriteLine($"The server received {asked} messages, the client {answers}.");
return asked == MessageCount && answers == MessageCount ? 0 : 1;

// Sends back each received message until the client disconnects.
static async Task<int> ServeAsync(RsslListener listener, CancellationToken cancellation)
{
    int count = 0;
    await using RsslConnection connection = await listener.AcceptAsync(cancellation);
    while (await connection.ReadAsync(cancellation) is { } message) // valid until the next read
    {
        await connection.SendAsync(message, cancellation);
        count++;
    }

    return count;
}

static async Task<int> AskAsync(int port, CancellationToken cancellation)
{
    int count = 0;
    byte[] question = new byte[sizeof(int)];
    await using RsslConnection connection = await RsslConnection.ConnectAsync(new() { Host = "localhost", Port = port }, cancellation);
    for (int number = 0; number < MessageCount; number++)
    {
        BinaryPrimitives.WriteInt32BigEndian(question, number);
        await connection.SendAsync(question, cancellation);
        if (await connection.ReadAsync(cancellation) is { } answer && answer.Span.SequenceEqual(question))
            count++;
    }

    return count;
}
