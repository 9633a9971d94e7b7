using System.Text.Json;

namespace PerfCommon.Tests.Domains;

/// <summary>The messages of one recorded connection, in the order in which they were recorded.</summary>
internal sealed class SessionRecording
{
    private const byte Data = 0x02;

    private SessionRecording(List<(bool FromClient, byte[] Bytes)> messages, int unfinished) =>
        (Messages, Unfinished) = (messages, unfinished);

    public IReadOnlyList<(bool FromClient, byte[] Bytes)> Messages { get; }

    /// <summary>Messages whose last fragment is missing; 0 where the recording was truncated, possibly inside one.</summary>
    public int Unfinished { get; }

    public static SessionRecording Load(string path)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
        (bool FromClient, byte[] Bytes)[] frames = [.. document.RootElement.GetProperty("frames").EnumerateArray()
            .Select(frame =>
                (frame.GetProperty("dir").GetString() == "c2s", Convert.FromHexString(frame.GetProperty("hex").GetString()!)))];
        int idBytes = MessageSplitter.FragmentIdBytes(frames[0].Bytes);
        MessageSplitter client = new(idBytes);
        MessageSplitter server = new(idBytes);
        List<(bool, byte[])> messages = [];
        for (int i = 0; i < frames.Length; i++)
        {
            (bool fromClient, byte[] frame) = frames[i];
            if ((frame[2] & Data) == 0)
                continue; // handshake
            foreach ((byte[] message, _) in (fromClient ? client : server).Take(frame, i))
                messages.Add((fromClient, message));
        }

        bool isCut = document.RootElement.TryGetProperty("trimmed", out JsonElement trimmed) && trimmed.ValueKind == JsonValueKind.True;
        return new SessionRecording(messages, isCut ? 0 : client.OpenMessages + server.OpenMessages);
    }
}
